/** Breaks of how webhooks are signed and sent again. */
import type { Mutant } from './mutant.ts';

const SIGN = 'test/webhooks/sign.test.ts';
const SECRETS = 'test/webhooks/secrets.test.ts';
const RESEND = 'test/webhooks/resend.test.ts';

export const webhookSecretMutants: readonly Mutant[] = [
  {
    name: 'the time is not signed',
    file: 'core/webhooks/sign.ts',
    replace: '${id}.${seconds}.${body}',
    by: '${id}.${body}',
    test: SIGN,
    named: 'specification',
  },
  {
    name: 'a rotation lets all secrets sign for longer',
    file: 'core/webhooks/secret.ts',
    replace: '({ until: now + WEBHOOK_SECRET_OVERLAP, ...one })',
    by: '({ ...one, until: now + WEBHOOK_SECRET_OVERLAP })',
    test: SIGN,
    named: 'does not sign for longer',
  },
  {
    name: 'each who asks first makes a secret',
    file: 'aws/webhook-secrets.ts',
    replace: "? { ConditionExpression: 'attribute_not_exists(endpoint)' }",
    by: '? {}',
    test: SECRETS,
    named: 'is made once',
  },
  {
    name: 'workers may open what signs webhooks',
    file: 'aws/webhook-secrets.ts',
    replace: '({ webhooksOf: endpoint })',
    by: '({ endpoint })',
    test: SECRETS,
    named: 'says nothing to who reads the table',
  },
  {
    name: 'nobody looks after what is sent again',
    file: 'core/webhooks/resend.ts',
    replace: 'await deadlines.note(',
    by: 'void (',
    test: RESEND,
    named: 'looked after by the sweeper',
  },
  {
    name: 'each who asks starts a delivery again',
    file: 'core/webhooks/resend.ts',
    replace: 'if (!(await deliveries.reopen(delivery)))',
    by: 'if (!(await deliveries.reopen(delivery)) && !delivery)',
    test: RESEND,
    named: 'one of several',
  },
  {
    name: 'a page of failed webhooks begins with the last of the one before',
    file: 'aws/deliveries.ts',
    replace: ' AND #delivery < :before',
    by: ' AND #delivery <= :before',
    test: RESEND,
    named: 'comes in pages',
  },
];
