/** Operations on webhook deliveries that have failed. */
import { webhookListLimits } from '../limits.ts';
import { reference } from '../openapi/schema.ts';
import { indexLimits } from '../requests/validation.ts';
import type { OperationDefinitions, Parameter } from './operation.ts';
import { endpointCodes, jobCodes, page } from './parameters.ts';

const completion: Parameter = {
  name: 'completion',
  in: 'query',
  description:
    'Number of the completion, which is the number of retries before it. The default is the last completion.',
  schema: { type: 'integer', minimum: indexLimits.min, maximum: indexLimits.max },
};

export const webhooks = {
  webhooks: {
    methods: ['GET'],
    path: '/{endpoint}/webhooks',
    limit: { per10Seconds: 10 },
    role: 'viewer',
    keyText: 'List the deliveries of webhooks',
    lambda: { id: 'Webhooks', handler: 'lambda/jobs/webhooks.ts', does: 'lists failed webhook deliveries.' },
    tag: 'Webhooks',
    summary: 'Lists failed webhook deliveries',
    parameters: page('deliveries', webhookListLimits.page),
    answer: reference('WebhookList'),
    codes: endpointCodes,
  },
  resend: {
    methods: ['POST'],
    path: '/{endpoint}/webhooks/{job}/resend',
    limit: { per10Seconds: 100 },
    role: 'operator',
    keyText: 'Send a webhook again',
    lambda: { id: 'Resend', handler: 'lambda/jobs/resend.ts', does: 'repeats a failed webhook delivery.' },
    tag: 'Webhooks',
    summary: 'Sends a failed webhook delivery again',
    parameters: [completion],
    answer: reference('Resent'),
    codes: [...jobCodes, 'WEBHOOK_NOT_FOUND', 'WEBHOOK_NOT_FAILED'],
  },
} satisfies OperationDefinitions;
