/** The body of `/run` and `/runsync`: read, checked, and nothing in it changed. */
import * as z from 'zod/mini';
import { InvalidRequest, PayloadTooLarge } from '../errors.ts';
import type { JobKind } from '../jobs/job.ts';
import type { JsonObject } from '../json.ts';
import { payloadLimits, policyLimits } from '../limits.ts';
import { milliseconds, validate, validateSecret } from '../validation.ts';
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

const OBJECT = '{'.charCodeAt(0);

export interface Submission {
  /** The JSON text of `input`, byte for byte as it was sent: a part of the body's bytes. */
  readonly input: Uint8Array;
  readonly policy: Policy;
  /** The JSON text of `s3Config`, if it came. It is secret: no message, log or answer may show any of it. */
  readonly s3Config?: string;
  /** The webhook URL, if it came. */
  readonly webhook?: string;
}

/** Characters of a value that a message shows, and bytes that such a character has at most. */
const SHOWN = { characters: 80, bytes: 4 * 80 } as const;

/** The beginning of a member's JSON text, as a message shows it. */
function shownStart(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.subarray(0, SHOWN.bytes));
  return text.length > SHOWN.characters ? `${text.slice(0, SHOWN.characters)}…` : text;
}

function inputIn(body: JsonObject): Uint8Array {
  const input = body.bytes('input');
  if (input === undefined) throw new InvalidRequest('`input` is missing: send an object, `{}` at least.');
  if (input[0] !== OBJECT) throw new InvalidRequest(`\`input\` must be an object, got ${shownStart(input)}.`);
  return input;
}

export interface SubmitRequest {
  readonly endpoint: string;
  readonly owner: string;
  /** As it came. */
  readonly body: Uint8Array;
  /** The header, as it came. */
  readonly idempotencyKey?: string;
}

/** Names of the members that are read. */
export const submissionMembers = ['input', 'policy', 's3Config', 'webhook'] as const;

/**
 * @param networks that webhooks may lead to although they are not public
 * @throws InvalidRequest naming the field, its value and what is allowed. Unknown fields are ignored.
 */
export function parseSubmission(body: JsonObject, networks: readonly string[] = []): Submission {
  const input = inputIn(body);
  const policy = validate(z.optional(policySchema), body.smallValue('policy'), 'policy') ?? {};
  validateSecret(z.optional(s3ConfigSchema), body.smallValue('s3Config'), 's3Config');
  const webhook = validateSecret(z.optional(webhookUrl(networks)), body.smallValue('webhook'), 'webhook');
  return { input, policy, s3Config: body.text('s3Config'), webhook };
}

/** Operations whose requests submit a job. */
export type SubmitOperation = JobKind | 'openai';

/** The kind of the jobs that requests of an operation submit. */
export const kindOf = (operation: SubmitOperation): JobKind => (operation === 'openai' ? 'runsync' : operation);

/**
 * @param size bytes of the body, or how many came before the reader stopped
 * @param isWhole whether `size` is all of it
 * @throws PayloadTooLarge
 */
export function assertBodyFits(operation: SubmitOperation, size: number, isWhole = true): void {
  const limit = payloadLimits.body[kindOf(operation)];
  if (size <= limit) return;
  const found = isWhole ? `${size} bytes` : `more than ${limit} bytes`;
  throw new PayloadTooLarge(`The body has ${found}; /${operation} takes at most ${limit}.`);
}
