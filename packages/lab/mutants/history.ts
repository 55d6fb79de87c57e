/** Mutants of the history of jobs. */
import { type Mutant, mutant } from './mutant.ts';

const TEST = 'test/history/history.test.ts';

export const historyMutants: readonly Mutant[] = [
  mutant('a shorter retention adds a job to the history again')
    .replace(
      'core/history/ended-job.ts',
      'isEnded(before) && before.finishedAt === after.finishedAt ? undefined : after',
      'after',
    )
    .killedBy(TEST, 'ends its retention sooner'),
  mutant('a list omits jobs of the endpoint whose part ends later')
    .replace('core/history/read.ts', 'reached === undefined || order(positionOf(job), reached) <= 0', 'true')
    .killedBy('test/history/read.test.ts', 'return each job'),
  mutant('a page ends where the read has ended, although more jobs match')
    .replace('core/history/read.ts', 'found.length > max && last ? positionOf(last) : reached', 'reached')
    .killedBy(TEST, 'over its pages'),
  mutant('a page begins with the last job of the previous page')
    .replace('aws/history/history.ts', 'item !== first && item !== last', 'item !== first')
    .killedBy(TEST, 'over its pages'),
  mutant('a caller lists jobs of all endpoints')
    .replace('core/history/request.ts', '.map(({ id }) => id).filter(isPermitted)', '.map(({ id }) => id)')
    .killedBy(TEST, 'that the caller may call'),
  mutant('a caller lists jobs of an endpoint of others')
    .replace('core/history/request.ts', '!isEndpointId(endpoint) || !isPermitted(endpoint)', '!isEndpointId(endpoint)')
    .killedBy(TEST, 'that the caller may call'),
  mutant('each of several jobs has all of the time of its worker')
    .replace('worker/agent/shares.ts', '(now - countedTo) / begun.size', 'now - countedTo')
    .killedBy('test/worker/shares.test.ts', 'add up'),
  mutant('an ended job keeps its share of the time')
    .remove('worker/agent/held-jobs.ts', 'shares.end(id);')
    .killedBy('test/worker/shares.test.ts', 'reports the share'),
  mutant('the item of a job exceeds a write unit by its trace')
    .replace('core/submission/submit.ts', 'fitsWithObjects(traced) ? traced : untraced', 'traced')
    .killedBy('test/jobs/item-size.test.ts', 'at most 1 KB'),
  mutant('the item of a failed job exceeds a write unit by its worker time')
    .replace('core/workers/report.ts', 'fitsAtEnd(job, members) ? workerTime() : undefined', 'workerTime()')
    .killedBy('test/jobs/item-size.test.ts', 'at most 1 KB'),
  mutant('the history says of each attempt that its worker was lost')
    .replace('core/workers/rescue.ts', '$reason: reason', "$reason: 'WORKER_LOST'")
    .killedBy('test/history/attempts.test.ts', 'that was rescued twice'),
  mutant('an error that is not stored stops the ledger')
    .replace('core/history/record.ts', 'if (error instanceof PayloadMissing) return undefined;', '')
    .killedBy(TEST, 'workers can write any location'),
  mutant('rows that DynamoDB does not process are lost')
    .replace('aws/history/history.ts', 'if (left.length === 0) return;', 'return;')
    .killedBy('test/history/store.test.ts', 'does not process'),
  mutant('each worker that starts is an event of the condition')
    .replace('core/history/record-event.ts', ' && (isBlocker(from) || isBlocker(to))', '')
    .killedBy('test/history/events.test.ts', 'is no event if a worker starts'),
  mutant('an event that cannot be stored fails the change')
    .replace(
      'aws/history/history.ts',
      'console.error({ message, ...about, error: String(error) });',
      'throw Object.assign(error as Error, { message, ...about });',
    )
    .killedBy('test/history/events.test.ts', 'although its event cannot be stored'),
  mutant('a release in a part that is not read yet is listed twice')
    .replace('core/history/list-events.ts', 'position >= reached && ', '')
    .killedBy('test/history/events.test.ts', 'a bounded number of rows'),
  mutant('the item of a job exceeds a write unit')
    .replace('core/jobs/item-size.ts', 'Math.max(0, Math.min(left, max))', 'max')
    .killedBy('test/jobs/item-size.test.ts', 'at most 1 KB'),
];
