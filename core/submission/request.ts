/** Reads and validates the body of `/run` and `/runsync` without changing it. */
import * as z from 'zod/mini';
import type { JobKind } from '../jobs/job.ts';
import type { JsonObject } from '../json/json.ts';
import { payloadLimits, policyLimits } from '../limits.ts';
import { InvalidRequest, PayloadTooLarge } from '../requests/errors.ts';
import { shortened } from '../requests/shortened.ts';
import { milliseconds, validate, validateSecret } from '../requests/validation.ts';
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
/** Other fields are not checked: only the client and the worker interpret them. */
export const s3ConfigSchema = z.object(
  { accessId: text, accessSecret: text, bucketName: text, endpointUrl: text },
  'must be an object',
);

const OBJECT = '{'.charCodeAt(0);

export interface Submission {
  /** JSON text of `input`, byte for byte as sent: a view of the body. */
  readonly input: Uint8Array;
  readonly policy: Policy;
  /**
   * JSON text of `s3Config`, if sent. It is secret: messages, logs and responses must not contain any part of it.
   */
  readonly s3Config?: string;
  /** The webhook URL, if sent. */
  readonly webhook?: string;
}

/** Number of bytes of a value that are decoded for a message: more than it shows. */
const SHOWN_BYTES = 4 * 80;

/** Returns the beginning of a member's JSON text for a message. */
const shownStart = (bytes: Uint8Array): string => shortened(new TextDecoder().decode(bytes.subarray(0, SHOWN_BYTES)));

function inputIn(body: JsonObject): Uint8Array {
  const input = body.bytes('input');
  if (input === undefined) throw new InvalidRequest('`input` is missing: send an object, such as `{}`.');
  if (input[0] !== OBJECT) throw new InvalidRequest(`\`input\` must be an object, got ${shownStart(input)}.`);
  return input;
}

export interface SubmitRequest {
  readonly endpoint: string;
  readonly owner: string;
  /** Id of the API key that sends the request; absent for a user. */
  readonly keyId?: string | undefined;
  /** Body of the request, unparsed. */
  readonly body: Uint8Array;
  /** Value of the `Idempotency-Key` header, unparsed. */
  readonly idempotencyKey?: string | undefined;
  /** Value of the `traceparent` header, unparsed. */
  readonly traceparent?: string | undefined;
}

/** Schemas of the members that a request can omit. */
const omittable = { policy: z.optional(policySchema), s3Config: z.optional(s3ConfigSchema) } as const;

type Webhook = z.ZodMiniOptional<ReturnType<typeof webhookUrl>>;

/** Schemas of `webhook` by their networks. A process has one list of networks, and a schema takes 0.1 ms to create. */
const webhooks = new WeakMap<readonly string[], Webhook>();

function webhookOf(networks: readonly string[]): Webhook {
  const known = webhooks.get(networks);
  if (known) return known;
  const schema = z.optional(webhookUrl(networks));
  webhooks.set(networks, schema);
  return schema;
}

/** Names of the members that are read. */
export const submissionMembers = ['input', 'policy', 's3Config', 'webhook'] as const;

/**
 * Parses and validates a body. Unknown fields are ignored.
 * @param networks private networks to which webhooks can be sent
 * @throws InvalidRequest with the field, the allowed values and, unless it can be secret, the value
 */
export function parseSubmission(body: JsonObject, networks: readonly string[] = []): Submission {
  const input = inputIn(body);
  const policy = validate(omittable.policy, body.smallValue('policy'), 'policy') ?? {};
  validateSecret(omittable.s3Config, body.smallValue('s3Config'), 's3Config');
  const webhook = validateSecret(webhookOf(networks), body.smallValue('webhook'), 'webhook');
  const s3Config = body.text('s3Config');
  return { input, policy, ...(s3Config !== undefined && { s3Config }), ...(webhook !== undefined && { webhook }) };
}

/** Operations whose requests submit a job. */
export type SubmitOperation = JobKind | 'openai';

/** Returns the kind of jobs that an operation submits. */
export const kindOf = (operation: SubmitOperation): JobKind => (operation === 'openai' ? 'runsync' : operation);

/**
 * Checks the size of a body.
 * @param size bytes of the body, or bytes that were read before the reader stopped
 * @param isWhole whether `size` is the whole body
 * @throws PayloadTooLarge
 */
export function assertBodyFits(operation: SubmitOperation, size: number, isWhole = true): void {
  const limit = payloadLimits.body[kindOf(operation)];
  if (size <= limit) return;
  const found = isWhole ? `${size} bytes` : `more than ${limit} bytes`;
  throw new PayloadTooLarge(`The body has ${found}; /${operation} accepts at most ${limit}.`);
}
