/** Mutants of how jobs are rescued and requeued, and of how their final status is stored. */
import { type Mutant, mutant } from './mutant.ts';

const TAKE = 'test/workers/take.test.ts';
const SWEEP = 'test/sweeper/sweep.test.ts';
const MESSAGES = 'test/sweeper/lost-messages.test.ts';
const MESSAGE_LIFE = 'test/worker/message-life.test.ts';

export const rescueMutants: readonly Mutant[] = [
  mutant('a message that arrives twice at the same time is handled twice')
    .remove('worker/agent/job-loop.ts', ' || taking.has(id)')
    .killedBy(MESSAGE_LIFE, 'arrives twice at the same time'),
  mutant('a message is dropped before the end of its job is stored')
    .replace(
      'core/workers/take.ts',
      'stored && (await finalize(ports, stored, endpoint))',
      "stored && (stored.status === 'IN_QUEUE' ? undefined : stored)",
    )
    .killedBy(TAKE, 'drops messages of jobs'),
  mutant('a job past its deadline is rescued')
    .replace('core/workers/rescue.ts', 'await finalize(ports, job)', 'job as Job')
    .killedBy(TAKE, 'ran past its deadline'),
  mutant('a rescued job keeps its generation')
    .replace(
      'core/jobs/transitions.ts',
      "      generation: '$generation',\n    },\n    remove: [...traceOfRun],\n  },",
      '    },\n    remove: [...traceOfRun],\n  },',
    )
    .killedBy(TAKE, 'assigns the job to the current generation, so that a'),
  mutant('leases are not read again before jobs are rescued')
    .replace(
      'core/sweeper/sweep.ts',
      'await ports.workers.read(id, worker)',
      '(await ports.workers.list(id)).find((listed) => listed.worker === worker)',
    )
    .killedBy(SWEEP, 'that has renewed its lease since the list'),
  mutant('the sweeper searches for lost messages too early')
    .replace('core/sweeper/lost-messages.ts', 'now - lease.idleSince >= MESSAGE_LOST', 'now - lease.idleSince >= 0')
    .killedBy(MESSAGES, 'are sent again when a worker idles'),
  mutant('the sweeper searches for lost messages while all workers are busy')
    .replace(
      'core/sweeper/lost-messages.ts',
      'lease.idleSince !== undefined && now - lease.idleSince >= MESSAGE_LOST',
      'now - (lease.idleSince ?? 0) >= MESSAGE_LOST',
    )
    .killedBy(MESSAGES, 'while every worker is busy'),
  mutant('a reconciliation corrects counters at the first difference')
    .replace(
      'core/sweeper/counters.ts',
      'reconciliation.missing === undefined ? RECONCILE : RECONCILE_AGAIN',
      'reconciliation.missing === undefined ? RECONCILE : 0',
    )
    .killedBy(SWEEP, 'wrong twice in a row'),
  mutant('a timeout is shown but not stored')
    .replace(
      'core/jobs/ending.ts',
      "timeout: (facts) => jobs.move('timeout', job, facts),",
      "timeout: async (facts) => ({ moved: true, job: (await import('./machine.ts')).apply('timeout', job, facts) }),",
    )
    .killedBy('test/status/status.test.ts', 'stores the end that it returns'),
];
