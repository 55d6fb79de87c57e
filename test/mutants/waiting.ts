/** Breaks of what is told of jobs that wait. */
import type { Mutant } from './mutant.ts';

const ARRIVALS = 'test/ledger/arrivals.test.ts';
const POSITION = 'test/jobs/queue-position.test.ts';
const REASON = 'test/core/wait-reason.test.ts';
const HEALTH = 'test/jobs/health.test.ts';
const PAGE = 'test/docs/waiting.test.ts';

export const waitingMutants: readonly Mutant[] = [
  {
    name: 'arrivals whose ledger died are not added any more',
    file: 'core/ledger/record.ts',
    replace: 'if (added.arrivals)',
    by: 'if (added.arrivals && added.left.length === 0)',
    test: ARRIVALS,
    named: 'look at every job',
  },
  {
    name: 'arrivals that come twice are added twice',
    file: 'aws/arrivals.ts',
    replace: "'attribute_not_exists(#fence) OR #fence < :sequence'",
    by: "'attribute_not_exists(#fence) OR attribute_exists(#fence)'",
    test: ARRIVALS,
    named: 'look at every job',
  },
  {
    name: 'the fence of arrivals is one for all partitions',
    file: 'aws/arrivals.ts',
    replace: '`last${partition.slice(endpoint.length)}`',
    by: "'last'",
    test: ARRIVALS,
    named: 'look at every job',
  },
  {
    name: 'the hours of the day of a job are left out of its position',
    file: 'aws/arrivals.ts',
    replace: 'item.item === dayItem(prefix, day) ? hour % HOURS : HOURS',
    by: 'item.item === dayItem(prefix, day) ? 0 : HOURS',
    test: ARRIVALS,
    named: 'look at every job',
  },
  {
    name: 'a position is not cut to the jobs that wait',
    file: 'core/jobs/queue-position.ts',
    replace: 'Math.min(ahead, Math.max(0, ofItsOwn - 1))',
    by: 'ahead',
    test: POSITION,
    named: 'whatever drift',
  },
  {
    name: 'a job of low priority stands among the normal ones',
    file: 'core/jobs/queue-position.ts',
    replace: '(job.lowPriority ? normal : 0)',
    by: '0',
    test: POSITION,
    named: 'of low priority',
  },
  {
    name: 'arrivals are read where a job is alone',
    file: 'core/jobs/queue-position.ts',
    replace: 'ofItsOwn > 1',
    by: 'ofItsOwn > 0',
    test: POSITION,
    named: 'is alone',
  },
  {
    name: 'a worker that was asked for long ago is called starting',
    file: 'core/workers/count.ts',
    replace: 'now - desiredSince > START_LIMIT',
    by: 'now - desiredSince > 2 * START_LIMIT',
    test: REASON,
    named: 'a job waits',
  },
  {
    name: 'a worker is free until its lease names its job',
    file: 'core/jobs/wait-reason.ts',
    replace: 'Math.max(full, Math.floor(Math.max(0, counts.inProgress - ofRetiring) / concurrency))',
    by: 'full',
    test: REASON,
    named: 'before its lease',
  },
  {
    name: 'a job of low priority is not told that it starts no worker',
    file: 'core/jobs/wait-reason.ts',
    replace: 'normalWaiting > 0 || (',
    by: 'normalWaiting > 0 && (',
    test: REASON,
    named: 'of low priority',
  },
  {
    name: 'retries are not counted',
    file: 'core/ledger/counters.ts',
    replace: 'job.rescues + job.retries',
    by: 'job.rescues',
    test: HEALTH,
    named: 'came back',
  },
  {
    name: 'the page of reasons lists them in another order',
    file: 'core/jobs/wait-reason.ts',
    replace: '  NO_WORKER: ({ alive }) => alive === 0,\n  WORKERS_BUSY: () => true,\n',
    by: '  WORKERS_BUSY: ({ alive }) => alive > 0,\n  NO_WORKER: () => true,\n',
    test: PAGE,
    named: 'every reason',
  },
];
