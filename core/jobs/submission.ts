/** The body of `/run` and `/runsync`: read, checked, and nothing in it changed. */
import * as z from 'zod/mini';
import { InvalidRequest } from '../errors.ts';
import { parseJsonObject } from '../json.ts';
import { policyLimits } from '../limits.ts';
import { milliseconds, shown, validate, validateSecret } from '../validation.ts';
import { webhookUrl } from '../webhooks/url.ts';

export const policySchema = z.object(
  {
    executionTimeout: z.optional(milliseconds(policyLimits.executionTimeout)),
    lowPriority: z.optional(z.boolean('must be true or false')),
    ttl: z.optional(milliseconds(policyLimits.ttl)),
  },
  'must be an object',
);

export type Policy = z.infer<typeof policySchema>;

const text = z.optional(z.string('must be a string'));
/** Other fields may hold anything: what they mean is between the client and the worker. */
export const s3ConfigSchema = z.object(
  { accessId: text, accessSecret: text, bucketName: text, endpointUrl: text },
  'must be an object',
);

export interface Submission {
  /** The JSON text of `input`, byte for byte as it was sent. */
  readonly input: string;
  readonly policy: Policy;
  /** The JSON text of `s3Config`, if it came. It is secret: no message, log or answer may show any of it. */
  readonly s3Config?: string;
  /** The address that is told of the job's end, if it came. */
  readonly webhook?: string;
}

/**
 * @param networks that webhooks may lead to although they are not public
 * @throws InvalidRequest naming the field, its value and what is allowed. Unknown fields are ignored.
 */
export function parseSubmission(body: string, networks: readonly string[] = []): Submission {
  const { value, members } = parseJsonObject(body);
  const input = members.get('input');
  if (input === undefined) throw new InvalidRequest('`input` is missing: send an object, `{}` at least.');
  if (!input.startsWith('{')) throw new InvalidRequest(`\`input\` must be an object, got ${shown(value.input)}.`);
  const policy = validate(z.optional(policySchema), value.policy, 'policy') ?? {};
  validateSecret(z.optional(s3ConfigSchema), value.s3Config, 's3Config');
  const webhook = validateSecret(z.optional(webhookUrl(networks)), value.webhook, 'webhook');
  return { input, policy, s3Config: members.get('s3Config'), webhook };
}
