/** Signs webhooks with the secrets of an endpoint, so that receivers can verify the sender. */

import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { SECOND, WEBHOOK_SECRET_OVERLAP, WEBHOOK_SECRETS } from '../limits.ts';

const PREFIX = 'whsec_';
/** Standard Webhooks asks for 24 to 64. */
const KEY_BYTES = 32;

/** The newest first. Each secret but the newest has a time at which it stops signing. */
export const webhookSecretsSchema = z.array(
  z.object({
    /** `whsec_` and 32 bytes in base64. */
    secret: z.string(),
    /** Milliseconds since the epoch. */
    madeAt: z.number(),
    /** When it stops signing, in milliseconds since the epoch. */
    until: z.optional(z.number()),
  }),
);
export type WebhookSecret = z.infer<typeof webhookSecretsSchema>[number];

/** The store of secrets. The first read of an endpoint makes its first secret; concurrent readers get the same one. */
export interface WebhookSecrets {
  /** Returns the secrets that sign, the newest first, at least one. They may be `WEBHOOK_SECRET_CACHE` ms old. */
  current(endpoint: string): Promise<readonly string[]>;
  /** Returns the secrets that sign, read from the store. */
  currentNow(endpoint: string): Promise<readonly WebhookSecret[]>;
  /**
   * Makes a new secret. Earlier ones sign beside it for `WEBHOOK_SECRET_OVERLAP` ms more.
   * @throws TooManySecrets, RotatedMeanwhile
   */
  rotate(endpoint: string): Promise<readonly WebhookSecret[]>;
}

/** Decodes the bytes of the signing key. */
export const keyIn = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');

/** @param random 32 random bytes */
export function newWebhookSecret(random: Uint8Array): string {
  if (random.length !== KEY_BYTES)
    throw new Error(`A webhook secret needs ${KEY_BYTES} random bytes, got ${random.length}.`);
  return PREFIX + Buffer.from(random).toString('base64');
}

/** Returns the secrets that still sign. */
export const signing = (secrets: readonly WebhookSecret[], now: number): WebhookSecret[] =>
  secrets.filter(({ until }) => until === undefined || now < until);

/** The endpoint has `WEBHOOK_SECRETS` secrets that sign, which is the most. */
export class TooManySecrets extends Error {}

/** Another caller has rotated the secret at the same time, and its write came first. */
export class RotatedMeanwhile extends Error {
  constructor(endpoint: string) {
    super(`Another caller has just rotated the secret of ${endpoint}: \`secret show\` prints it.`);
  }
}

/**
 * Returns the secrets with a new one, which signs at once. Secrets that no longer sign are removed.
 * @throws TooManySecrets
 */
export function rotated(secrets: readonly WebhookSecret[], secret: string, now: number): WebhookSecret[] {
  const before = signing(secrets, now).map((one) => ({ until: now + WEBHOOK_SECRET_OVERLAP, ...one }));
  const oldest = before.at(-1);
  if (oldest && before.length >= WEBHOOK_SECRETS)
    throw new TooManySecrets(
      `The endpoint has ${before.length} secrets that sign, which is the most. Rotate again after ${new Date(oldest.until).toISOString()}.`,
    );
  return [{ secret, madeAt: now }, ...before];
}

/** An attempt to sign as Standard Webhooks 1.0.0 defines it: github.com/standard-webhooks/standard-webhooks. */
export interface ToSign {
  /** The same for every attempt of one delivery: receivers recognize duplicates by it. */
  readonly id: string;
  /** When this attempt is made, in milliseconds since the epoch. */
  readonly timestamp: number;
  /** The body as it is sent, to the byte. */
  readonly body: string;
  /** Secrets that sign now, one or more. */
  readonly secrets: readonly string[];
}

/** One signature for each secret, in their order: a receiver accepts the delivery if it can verify any. */
export interface SignatureHeaders extends Record<string, string> {
  readonly 'webhook-id': string;
  /** Seconds since the epoch. */
  readonly 'webhook-timestamp': string;
  /** `v1,<base64>` of HMAC-SHA256 over `id.timestamp.body`, with spaces between several. */
  readonly 'webhook-signature': string;
}

export function sign({ id, timestamp, body, secrets }: ToSign): SignatureHeaders {
  const seconds = Math.floor(timestamp / SECOND);
  const signatureBy = (secret: string) =>
    `v1,${createHmac('sha256', keyIn(secret)).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map(signatureBy).join(' '),
  };
}
