/** Mutants of how webhooks are signed and sent again. */
import { type Mutant, mutant } from './mutant.ts';

const SIGN = 'test/webhooks/sign.test.ts';
const SECRETS = 'test/webhooks/secrets.test.ts';
const RESEND = 'test/webhooks/resend.test.ts';

export const webhookSecretMutants: readonly Mutant[] = [
  mutant('the time of a webhook is not signed')
    .replace('core/webhooks/signing.ts', '${id}.${seconds}.${body}', '${id}.${body}')
    .killedBy(SIGN, 'specification'),
  mutant('a rotation extends the time for which old secrets sign')
    .replace(
      'core/webhooks/signing.ts',
      'until: active.until ?? now + WEBHOOK_SECRET_OVERLAP',
      'until: now + WEBHOOK_SECRET_OVERLAP',
    )
    .killedBy(SIGN, 'does not sign for longer'),
  mutant('concurrent first reads each create a secret')
    .replace(
      'aws/webhooks/secrets.ts',
      "version === 0 ? notExists('endpoint') : compare('version', '=', version)",
      "version === 0 ? notExists('nothing') : compare('version', '=', version)",
    )
    .killedBy(SECRETS, 'is created once'),
  mutant('workers can decrypt signing secrets')
    .replace('aws/webhooks/secrets.ts', '({ webhooksOf: endpoint })', '({ endpoint })')
    .killedBy(SECRETS, 'cannot be read from the table'),
  mutant('the sweeper ignores deliveries that a client restarts')
    .replace('core/webhooks/resend.ts', 'await deadlines.save(', 'void (')
    .killedBy(RESEND, 'leaves an entry for the sweeper'),
  mutant('each of several concurrent requests restarts a delivery')
    .replace(
      'core/webhooks/resend.ts',
      'if (!(await deliveries.reopen(delivery)))',
      'if (!(await deliveries.reopen(delivery)) && !delivery)',
    )
    .killedBy(RESEND, 'one of several'),
  mutant('a page of failed webhooks repeats the last webhook of the previous page')
    .replace('aws/webhooks/deliveries.ts', "compare('delivery', '<',", "compare('delivery', '<=',")
    .killedBy(RESEND, 'each delivery on one page only'),
];
