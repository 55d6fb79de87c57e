/** Breaks of how webhooks are delivered. */
import type { Mutant } from './mutant.ts';

const DELIVER = 'test/webhooks/deliver.test.ts';
const CLAIMS = 'test/webhooks/claims.test.ts';
const TEMPLATE = 'test/lib/webhooks/webhooks.test.ts';

export const webhookMutants: readonly Mutant[] = [
  {
    name: 'a fourth try may be claimed',
    file: 'aws/deliveries.ts',
    replace: '#attempts < :tries AND',
    by: ':none < :tries AND',
    test: CLAIMS,
    named: 'three times at most',
  },
  {
    name: 'every execution may have the next try',
    file: 'aws/deliveries.ts',
    replace: "'(attribute_not_exists(leaseEnds) OR leaseEnds <= :now)'",
    by: "'(attribute_not_exists(leaseEnds) OR leaseEnds > :now OR leaseEnds <= :now)'",
    test: DELIVER,
    named: 'one of two executions',
  },
  {
    name: 'any success acknowledges',
    file: 'core/webhooks/deliver.ts',
    replace: 'outcome.status === 200',
    by: 'outcome.status < 300',
    test: DELIVER,
    named: 'never more than three times',
  },
  {
    name: 'a retry forgets what is not delivered',
    file: 'core/jobs/retry.ts',
    replace: 'if (delivery) await',
    by: 'if (!delivery) await',
    test: DELIVER,
    named: 'retried since',
  },
  {
    name: 'two ends of a job share a delivery',
    file: 'core/webhooks/delivery.ts',
    replace: 'completion: job.retries',
    by: 'completion: 0 * job.retries',
    test: DELIVER,
    named: 'retried since',
  },
  {
    name: 'a purge calls everybody',
    file: 'core/webhooks/delivery.ts',
    replace: "job.code === 'PURGED'",
    by: "job.code !== 'PURGED'",
    test: DELIVER,
    named: 'purge has removed',
  },
  {
    name: 'the ledger notes no delivery',
    file: 'core/ledger/due.ts',
    replace: '  ...deliveriesDue(changes, now),\n',
    by: '',
    test: DELIVER,
    named: 'starts a delivery again',
  },
  {
    name: 'the sweeper forgets a delivery that it has started',
    file: 'core/sweeper/deadlines.ts',
    replace: "fate === 'over'",
    by: "fate !== 'under way'",
    test: DELIVER,
    named: 'starts a delivery again',
  },
  {
    name: 'CDK adds retries of its own',
    file: 'lib/webhooks/delivery-machine.ts',
    replace: 'retryOnServiceExceptions: false',
    by: 'retryOnServiceExceptions: true',
    test: TEMPLATE,
    named: 'nobody adds to it',
  },
  {
    name: 'the pipe tells of ends that it has told of',
    file: 'lib/webhooks/webhooks.ts',
    replace: "const NOT_ENDED = ['IN_QUEUE', 'IN_PROGRESS'];",
    by: "const NOT_ENDED = ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED'];",
    test: TEMPLATE,
    named: 'keeps back every other change',
  },
];
