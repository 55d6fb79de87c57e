/**
 * The twelve most important guards, with patches that remove one at a time. A proof that does not notice a missing
 * guard proves nothing about it.
 */
import type { Patch } from '../../mutants/copy.ts';

export interface Guard {
  readonly name: string;
  readonly patches: readonly Patch[];
  /** Name of the removal in `explorer/removals.ts`. Undefined for guards outside of the job machine. */
  readonly removal?: string;
}

const TABLE = 'core/jobs/transitions.ts';
const LEASE_GUARD = "['$leaseEnds', '<', '$now'], ";

const patch = (file: string, replace: string, by: string): Patch => ({ file, replace, by });

export const guards: readonly Guard[] = [
  {
    name: 'no fence of attempts',
    patches: [patch(TABLE, "  ['attempt', '=', '$attempt'],\n", '')],
    removal: 'no fence of attempts',
  },
  {
    name: 'no status check on take',
    patches: [
      patch(TABLE, "  take: {\n    from: ['IN_QUEUE'],", "  take: {\n    from: ['IN_QUEUE', 'IN_PROGRESS', 'FAILED'],"),
    ],
    removal: 'no status check on take',
  },
  {
    name: 'no generation check on take',
    patches: [
      patch(
        TABLE,
        "      ['generation', '>=', '$generation'],\n    ],\n    set: {\n      worker",
        '    ],\n    set: {\n      worker',
      ),
    ],
    removal: 'no generation check on take or after it',
  },
  {
    name: 'the message is dropped before a lease names the job',
    patches: [
      patch(
        'worker/agent/job-loop.ts',
        '    held.add(job, message, taker);\n',
        '    held.add(job, message, taker);\n    await ports.jobQueues.drop(message);\n',
      ),
    ],
    removal: 'the message is dropped before a lease names the job',
  },
  {
    name: 'a job is acknowledged before its message is sent',
    patches: [
      patch(
        'core/submission/submit.ts',
        '  await sendMessage(ports, endpoint, job);',
        '  sendMessage(ports, endpoint, job).catch(() => undefined);',
      ),
    ],
    removal: 'a job is acknowledged before its message is sent',
  },
  {
    name: 'a retry does not check the expiry',
    patches: [
      patch(TABLE, "    when: [['$now', '<', 'expiresAt']],", '    when: [],'),
      patch('core/jobs/find.ts', '  assertKept(job, ports.clock.now());\n', ''),
    ],
    removal: 'a retry does not check the expiry',
  },
  {
    name: 'the sweeper does not check the lease',
    patches: [
      patch(TABLE, `${LEASE_GUARD}['attempt', '<', 'attemptLimit']`, "['attempt', '<', 'attemptLimit']"),
      patch(TABLE, `${LEASE_GUARD}['attempt', '>=', 'attemptLimit']`, "['attempt', '>=', 'attemptLimit']"),
      patch('core/sweeper/sweep.ts', '!isAlive(lease, ports.clock.now())', 'lease !== undefined || !isAlive(lease, 0)'),
    ],
    removal: 'the sweeper does not check the lease',
  },
  {
    name: 'counters are added again',
    patches: [patch('aws/ledger/ledger.ts', "notExists('lastSequence'), compare", "notExists('nothing'), compare")],
  },
  {
    name: 'a purge does not wait for permits',
    patches: [
      patch(
        'core/jobs/purge-queue.ts',
        '  await ports.clock.pause(PURGE_PAUSE);',
        '  await ports.clock.pause(0 * PURGE_PAUSE);',
      ),
    ],
    removal: 'a purge does not wait for permits',
  },
  {
    // Waiting calls use this rule to notice that a job has ended.
    name: 'an answer has a final status before the job has ended',
    patches: [patch('core/waiting-calls/watch.ts', "'finishedAt' in job", "'attempt' in job")],
  },
  {
    name: 'the output is stored after the status',
    patches: [
      patch(
        'core/jobs/payload.ts',
        '    await payloads.write(key, name, decoded(text), removeAfter);\n    return { stored: name, bytes: text.length };',
        '    setImmediate(() => void payloads.write(key, name, decoded(text), removeAfter));\n    return { stored: name, bytes: text.length };',
      ),
    ],
    removal: 'the output is stored after the status',
  },
  {
    name: 'jobs are read with eventual consistency',
    patches: [
      patch(
        'aws/jobs/jobs.ts',
        'Key: jobKeyOf(key), ConsistentRead: true',
        'Key: jobKeyOf(key), ConsistentRead: false',
      ),
    ],
    removal: 'jobs are read with eventual consistency',
  },
];
