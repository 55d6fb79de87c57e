/** Mutants of the claims of deliveries, and of signing secrets. */
import { type Mutant, mutant } from './mutant.ts';

export const webhookMutants: readonly Mutant[] = [
  mutant('a fourth attempt can be claimed')
    .replace(
      'aws/webhooks/deliveries.ts',
      "compare('attempts', '<', webhookAttempts.max)",
      "compare('attempts', '>=', 0)",
    )
    .killedBy('test/webhooks/claims.test.ts', 'at most three times'),
  mutant('every execution can claim the next attempt')
    .replace('aws/webhooks/deliveries.ts', "compare('leaseEnds', '<=', now)", "compare('leaseEnds', '>=', 0)")
    .killedBy('test/webhooks/deliver.test.ts', 'by only one execution'),
  mutant('both completions of a retried job share a delivery')
    .replace('core/jobs/delivery-key.ts', 'completion: job.retries', 'completion: 0 * job.retries')
    .killedBy('test/webhooks/deliver.test.ts', 'was retried and that result'),
  mutant('each of several concurrent requests restarts a delivery')
    .replace(
      'core/webhooks/resend.ts',
      'if (!(await deliveries.reopen(delivery)))',
      'if (!(await deliveries.reopen(delivery)) && !delivery)',
    )
    .killedBy('test/webhooks/resend.test.ts', 'one of several'),
  mutant('concurrent first reads each create a secret')
    .replace(
      'aws/webhooks/secrets.ts',
      "version === 0 ? notExists('endpoint') : compare('version', '=', version)",
      "version === 0 ? notExists('nothing') : compare('version', '=', version)",
    )
    .killedBy('test/webhooks/secrets.test.ts', 'is created once'),
  mutant('workers can decrypt signing secrets')
    .replace('aws/webhooks/secrets.ts', '({ webhooksOf: endpoint })', '({ endpoint })')
    .killedBy('test/webhooks/secrets.test.ts', 'cannot be read from the table'),
];
