/** Mutants of the position and the reason that waiting jobs show. */
import { type Mutant, mutant } from './mutant.ts';

const ARRIVALS = 'test/ledger/arrivals.test.ts';
const LEDGER = 'test/ledger/record.test.ts';
const POSITION = 'test/status/queue-position.test.ts';
const REASON = 'test/status/waiting.test.ts';
const HEALTH = 'test/status/health.test.ts';
const PAGE = 'test/docs/waiting.test.ts';

export const waitingMutants: readonly Mutant[] = [
  mutant('arrivals of a crashed ledger are not added later')
    .replace('core/ledger/record.ts', 'if (added.arrivals)', 'if (added.arrivals && added.left.length === 0)')
    .killedBy(LEDGER, 'whose process died before'),
  mutant('arrivals of a repeated batch are added only if all of them are missing')
    .replace('aws/ledger/arrivals.ts', 'if (changes.length > 1)', 'if (changes.length > 99)')
    .killedBy(LEDGER, 'adds the arrivals of the counted partitions if another'),
  mutant('each partition writes its arrivals by itself')
    .replace('aws/ledger/arrivals.ts', 'if (await addTo(endpoint, changes.reduce(both))) return;', '')
    .killedBy(LEDGER, 'writes the arrivals of all partitions together: one item'),
  mutant('a partition that cannot be counted delays the arrivals of the others')
    .replace(
      'core/ledger/record.ts',
      'await ports.arrivals.add(endpoint, arrived);',
      'if (arrived.size === byPartition.size) await ports.arrivals.add(endpoint, arrived);',
    )
    .killedBy(LEDGER, 'adds the arrivals of the counted partitions if another'),
  mutant('repeated arrivals are added twice')
    .replace(
      'aws/ledger/arrivals.ts',
      "or(notExists(fence), compare(fence, '<', sequence))",
      "or(notExists(fence), compare(fence, '<>', ''))",
    )
    .killedBy(ARRIVALS, 'a scan of all jobs'),
  mutant('all partitions share the fence of arrivals')
    .replace('aws/ledger/arrivals.ts', '`last${partition.slice(endpoint.length)}`', "'last'")
    .killedBy(ARRIVALS, 'a scan of all jobs'),
  mutant('the position of a job ignores arrivals of the same day')
    .replace(
      'aws/ledger/arrivals.ts',
      'item.item === dayItem(prefix, day) ? hour % HOURS : HOURS',
      'item.item === dayItem(prefix, day) ? 0 : HOURS',
    )
    .killedBy(ARRIVALS, 'a scan of all jobs'),
  mutant('a position can exceed the number of waiting jobs')
    .replace('core/status/waiting.ts', 'Math.min(ahead, Math.max(0, ofItsOwn - 1))', 'ahead')
    .killedBy(POSITION, 'is at most the number of waiting jobs, even if the'),
  mutant('a job of low priority has a position among normal jobs')
    .replace('core/status/waiting.ts', '(job.lowPriority ? normal : 0)', '0')
    .killedBy(POSITION, 'of low priority'),
  mutant('arrivals are read even if no other job waits')
    .replace('core/status/waiting.ts', 'ofItsOwn > 1', 'ofItsOwn > 0')
    .killedBy(POSITION, 'do not include the arrivals if no other job is in the'),
  mutant('a worker is reported as starting long after it was requested')
    .replace('core/workers/count.ts', 'now - desiredSince > START_LIMIT', 'now - desiredSince > 2 * START_LIMIT')
    .killedBy(REASON, 'a job waits'),
  mutant('a worker is free until its lease names its job')
    .replace(
      'core/status/waiting.ts',
      'Math.max(full, Math.floor(Math.max(0, counts.inProgress - ofRetiring) / concurrency))',
      'full',
    )
    .killedBy(REASON, 'before its lease'),
  mutant('a job of low priority does not show that it starts no worker')
    .replace('core/status/waiting.ts', 'normalWaiting > 0 || (', 'normalWaiting > 0 && (')
    .killedBy(REASON, 'of low priority'),
  mutant('retries are not counted')
    .replace('core/ledger/delta.ts', 'job.rescues + job.retries', 'job.rescues')
    .killedBy(HEALTH, 'were requeued from lost workers'),
  mutant('the reasons why jobs wait are documented in another order')
    .replace(
      'core/status/waiting.ts',
      '  NO_WORKER: ({ alive }) => alive === 0,\n  WORKERS_BUSY: () => true,\n',
      '  WORKERS_BUSY: ({ alive }) => alive > 0,\n  NO_WORKER: () => true,\n',
    )
    .killedBy(PAGE, 'every reason'),
];
