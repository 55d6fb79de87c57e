/** Mutants of the calls of SQS with several messages, which tests of agents with several slots must detect. */
import { type Mutant, mutant } from './mutant.ts';

const BATCHES = 'test/worker/batches.test.ts';
const MESSAGES = 'worker/agent/messages.ts';
const LOOP = 'worker/agent/job-loop.ts';

export const batchMutants: readonly Mutant[] = [
  mutant('a batch: messages without a waiting slot are kept')
    .replace(MESSAGES, 'waiter ? waiter(message) : release(message)', 'waiter?.(message)')
    .killedBy(BATCHES, 'if fewer slots wait'),
  mutant('a batch: messages are received for slots that do not wait')
    .replace(MESSAGES, 'const max = isLow ? 1 : waiters.length;', 'const max = isLow ? 1 : MESSAGE_BATCH;')
    .killedBy(BATCHES, 'receives no message for which no slot is free'),
  mutant('a batch: messages that arrive after the stop are kept')
    .replace(
      MESSAGES,
      'await (waiter ? waiter(message) : release(message));',
      'if (!stopping.signal.aborted) await (waiter ? waiter(message) : release(message));',
    )
    .killedBy(BATCHES, 'stops before the message arrives'),
  mutant('a batch: a stopped agent takes jobs')
    .replace(LOOP, 'if (messages.isStopped()) {', 'if (false) {')
    .killedBy(BATCHES, 'stops before the take'),
  mutant('a batch: an unprotected worker keeps messages')
    .replace(LOOP, "await messages.release(message);\n        return 'unprotected';", "return 'unprotected';")
    .killedBy(BATCHES, 'does not protect the worker'),
  mutant('a batch: messages are hidden for longer than a lease')
    .replace(MESSAGES, 'max, wait, LEASE, signal)', 'max, wait, 2 * LEASE, signal)')
    .killedBy(BATCHES, 'no more than a lease'),
  mutant('a batch: a caller with a message gives up the place of another caller')
    .replace(MESSAGES, 'if (place >= 0) waiters.splice(place, 1);', 'waiters.splice(place, 1);')
    .killedBy(BATCHES, 'no other caller is forgotten'),
  mutant('a batch: messages of purged jobs are not dropped')
    .replace(MESSAGES, 'if (dead.length > 0) await ports.jobQueues.dropBatch(dead);', '')
    .killedBy(BATCHES, 'messages of purged jobs, which it drops'),
  mutant('a batch: the message of a cancelled job stays')
    .replace(LOOP, "if (taken.outcome === 'stale') await ports.jobQueues.drop(message);", '')
    .killedBy(BATCHES, 'contains a cancelled job'),
  mutant('a batch: the message of an ended job stays')
    .replace(LOOP, "if (taken.outcome === 'stale') await ports.jobQueues.drop(message);", '')
    .killedBy(BATCHES, 'is dropped by the next worker'),
  mutant('a batch: the message of a job of another worker is not hidden')
    .replace(LOOP, "if (taken.outcome === 'held') await ports.jobQueues.hide(message, taken.hidden);", '')
    .killedBy(BATCHES, 'contains a job of another worker'),
  mutant('a batch: a job that cannot be taken ends the slot')
    .replace(
      LOOP,
      "{ error, jobId: message.job });\n      return 'none';",
      '{ error, jobId: message.job });\n      throw error;',
    )
    .killedBy(BATCHES, 'contains a job that cannot be taken'),
  mutant('a batch: an unreadable message hides the others')
    .replace(
      'aws/jobs/job-queues.ts',
      'if (readable.length === 0 && failures.length > 0) throw',
      'if (failures.length > 0) throw',
    )
    .killedBy(BATCHES, 'contains an unreadable message'),
  mutant('a batch: a message of another endpoint hides the others')
    .replace(MESSAGES, 'if (!failure || live.length > 0) return live;', 'if (!failure) return live;')
    .killedBy(BATCHES, 'contains a message of another endpoint'),
  mutant('a batch: messages stay hidden if their jobs cannot be read')
    .replace(MESSAGES, '.slice(1)\n    .map(release);', '.slice(messages.length)\n    .map(release);')
    .killedBy(BATCHES, 'before the generations are compared'),
  mutant('a batch: messages stay hidden if the endpoint cannot be read')
    .replace(MESSAGES, 'await Promise.all(others.map(release));\n      throw', 'throw')
    .killedBy(BATCHES, 'after the generations were compared'),
  mutant('a batch: messages stay hidden if others cannot be dropped')
    .replace(MESSAGES, 'await Promise.all(live.map(release));\n', '')
    .killedBy(BATCHES, 'messages of purged jobs cannot be dropped'),
  mutant('a batch: one failed call loses the messages of the others')
    .replace(MESSAGES, 'if (found.length > 0) return found.slice(0, max);\n    const failure', 'const failure')
    .killedBy(BATCHES, 'although another call for messages'),
  mutant('a batch: the messages of a crashed container stay hidden')
    .replace(
      'worker/agent/held-jobs.ts',
      'if (own)\n        await ports.jobQueues',
      'if (!own)\n        await ports.jobQueues',
    )
    .killedBy(BATCHES, 'if the container crashes'),
  mutant('a batch: each slot renews the lease')
    .replace('worker/agent/heartbeat.ts', 'renewing ??= beat().finally(() => {', 'renewing = beat().finally(() => {')
    .killedBy(BATCHES, 'share one renewal'),
  mutant('a batch: a failed renewal fails all slots')
    .replace('worker/agent/heartbeat.ts', 'if (shared && (await shared)) return;', 'if (shared) return await renewing;')
    .killedBy(BATCHES, 'share one renewal'),
  mutant('a batch: each deletion is a call')
    .replace(
      'worker/agent/message-drops.ts',
      'const collected = windows.get(message.queueUrl);',
      'const collected = undefined as Collected[] | undefined;',
    )
    .killedBy(BATCHES, 'with one call'),
  mutant('a batch: collected deletions are lost when the agent exits')
    .replace(
      'worker/agent/message-drops.ts',
      'for (const collected of windows.values()) remove(collected.splice(0));',
      '',
    )
    .killedBy(BATCHES, 'deletes collected messages before it exits'),
];
