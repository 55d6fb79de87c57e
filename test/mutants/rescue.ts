/** Breaks of how jobs come back, and of how their end is stored. */
import type { Mutant } from './mutant.ts';

const TAKE = 'test/jobs/take.test.ts';
const SWEEP = 'test/sweeper/sweep.test.ts';
const MESSAGES = 'test/sweeper/lost-messages.test.ts';
const MESSAGE_LIFE = 'test/worker/message-life.test.ts';

export const rescueMutants: readonly Mutant[] = [
  {
    name: 'a message that comes twice at once is followed twice',
    file: 'worker/agent/job-loop.ts',
    replace: ' || taking.has(id)',
    by: '',
    test: MESSAGE_LIFE,
    named: 'comes twice at once',
  },
  {
    name: 'a message is dropped though the end of its job is not stored',
    file: 'core/jobs/take.ts',
    replace: 'stored && (await settle(ports, stored, endpoint))',
    by: "stored && (stored.status === 'IN_QUEUE' ? undefined : stored)",
    test: TAKE,
    named: 'drops messages of jobs',
  },
  {
    name: 'a lost take is never noticed',
    file: 'core/workers/lease.ts',
    replace: 'lease.jobs.includes(id) ||',
    by: 'true ||',
    test: TAKE,
    named: 'beats of the worker do not name',
  },
  {
    name: 'a job past its deadline is rescued',
    file: 'core/jobs/rescue.ts',
    replace: 'await settle(ports, job, noPurge(job))',
    by: 'job as Job',
    test: TAKE,
    named: 'ran past its deadline',
  },
  {
    name: 'a rescue that was done counts as refused',
    file: 'core/jobs/rescue.ts',
    replace: "moved || after?.status === 'IN_QUEUE'",
    by: 'moved',
    test: TAKE,
    named: 'an earlier try has done it',
  },
  {
    name: 'a job that comes back keeps its generation',
    file: 'core/jobs/transitions.ts',
    replace: "      generation: '$generation',\n    },\n    remove: [...traceOfRun],\n  },",
    by: '    },\n    remove: [...traceOfRun],\n  },',
    test: TAKE,
    named: 'join the present generation',
  },
  {
    name: 'the list of leases is believed',
    file: 'core/sweeper/leases.ts',
    replace: 'await ports.workers.read(id, worker)',
    by: '(await ports.workers.list(id)).find((listed) => listed.worker === worker)',
    test: SWEEP,
    named: 'of a lease that was read again',
  },
  {
    name: 'what a worker has taken since is brought back',
    file: 'core/workers/lost.ts',
    replace: '  if (job.startedAt > endsAt) return false;\n',
    by: '',
    test: SWEEP,
    named: 'what they have taken since',
  },
  {
    name: 'lost messages are looked for too early',
    file: 'core/sweeper/lost-messages.ts',
    replace: 'now - lease.idleSince >= MESSAGE_LOST',
    by: 'now - lease.idleSince >= 0',
    test: MESSAGES,
    named: 'are sent again when a worker idles',
  },
  {
    name: 'lost messages are looked for while all are busy',
    file: 'core/sweeper/lost-messages.ts',
    replace: 'lease.idleSince !== undefined && now - lease.idleSince >= MESSAGE_LOST',
    by: 'now - (lease.idleSince ?? 0) >= MESSAGE_LOST',
    test: MESSAGES,
    named: 'while every worker is busy',
  },
  {
    name: 'an audit believes itself at once',
    file: 'core/sweeper/counters.ts',
    replace: 'audit.missing === undefined ? AUDIT : AUDIT_AGAIN',
    by: 'audit.missing === undefined ? AUDIT : 0',
    test: SWEEP,
    named: 'wrong twice in a row',
  },
  {
    name: 'what ends by the clock is told and not stored',
    file: 'core/jobs/settle.ts',
    replace: "timeout: (facts) => jobs.move('timeout', job, facts),",
    by: "timeout: async (facts) => ({ moved: true, job: (await import('./machine.ts')).apply('timeout', job, facts) }),",
    test: 'test/jobs/status.test.ts',
    named: 'stores the end that it tells',
  },
];
