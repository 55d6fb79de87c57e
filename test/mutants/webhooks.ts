/** Mutants of how webhooks are delivered. */
import { type Mutant, mutant } from './mutant.ts';

const DELIVER = 'test/webhooks/deliver.test.ts';
const CLAIMS = 'test/webhooks/claims.test.ts';
const TEMPLATE = 'test/lib/webhooks/webhooks.test.ts';

const POLLS = 'test/status/polls.test.ts';

export const webhookMutants: readonly Mutant[] = [
  mutant('a fourth attempt can be claimed')
    .replace(
      'aws/webhooks/deliveries.ts',
      "compare('attempts', '<', webhookAttempts.max)",
      "compare('attempts', '>=', 0)",
    )
    .killedBy(CLAIMS, 'at most three times'),
  mutant('every execution can claim the next attempt')
    .replace('aws/webhooks/deliveries.ts', "compare('leaseEnds', '<=', now)", "compare('leaseEnds', '>=', 0)")
    .killedBy(DELIVER, 'by only one execution'),
  mutant('every 2xx status acknowledges a webhook')
    .replace('core/webhooks/deliver.ts', 'outcome.status === 200', 'outcome.status < 300')
    .killedBy(DELIVER, 'at most three times'),
  mutant('a retry drops an undelivered webhook')
    .replace('core/submission/retry.ts', 'if (delivery) await', 'if (!delivery) await')
    .killedBy(DELIVER, 'was retried and that result'),
  mutant('both completions of a retried job share a delivery')
    .replace('core/jobs/delivery-key.ts', 'completion: job.retries', 'completion: 0 * job.retries')
    .killedBy(DELIVER, 'was retried and that result'),
  mutant('a purge calls the webhooks of all purged jobs')
    .replace('core/jobs/delivery-key.ts', "job.code === 'PURGED'", "job.code !== 'PURGED'")
    .killedBy(DELIVER, 'does not exist for a purged job'),
  mutant('the ledger stores no deadline of a delivery')
    .remove('core/expiry/due.ts', '  ...deliveriesDue(changes, now),\n')
    .killedBy(DELIVER, 'restarts an unfinished delivery'),
  mutant('the sweeper removes the deadline of a delivery that it has started')
    .replace('core/sweeper/deadlines.ts', "fate === 'over'", "fate !== 'under way'")
    .killedBy(DELIVER, 'restarts an unfinished delivery'),
  mutant('CDK adds its own retries')
    .replace('lib/webhooks/delivery-machine.ts', 'retryOnServiceExceptions: false', 'retryOnServiceExceptions: true')
    .killedBy(TEMPLATE, 'at most three attempts'),
  mutant('the pipe sends a job that had already ended')
    .replace(
      'lib/webhooks/webhooks.ts',
      "const NOT_ENDED = ['IN_QUEUE', 'IN_PROGRESS'];",
      "const NOT_ENDED = ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED'];",
    )
    .killedBy(TEMPLATE, 'drops all other changes, jobs without a webhook, and'),
  mutant('polls read the delivery and the job with two calls')
    .remove('aws/jobs/polled-jobs.ts', 'delivering.add(key.endpoint)')
    .killedBy(POLLS, 'in one call'),
  mutant('polls read deliveries of jobs that have none')
    .replace('aws/jobs/polled-jobs.ts', 'else delivering.delete(key.endpoint);', '')
    .killedBy(POLLS, 'ends the reads'),
  mutant('a poll of a retried job reports its first delivery')
    .replace('core/status/status.ts', 'key?.completion === polled?.completion', 'polled !== undefined')
    .killedBy(POLLS, 'last completion'),
  mutant('a poll takes a throttled job for a missing one')
    .remove('aws/jobs/polled-jobs.ts', 'if (UnprocessedKeys[jobsTable]) return { job: await jobs.read(key) };')
    .killedBy(POLLS, 'has not read from JOBS_TABLE'),
  mutant('a poll takes a throttled delivery for one that has not begun')
    .remove('aws/jobs/polled-jobs.ts', '!UnprocessedKeys[deliveriesTable] &&')
    .killedBy(POLLS, 'has not read from DELIVERIES_TABLE'),
  mutant('polls of jobs of other endpoints read deliveries')
    .replace('aws/jobs/polled-jobs.ts', 'delivering.has(key.endpoint)', 'delivering.size > 0')
    .killedBy(POLLS, 'other endpoints'),
];
