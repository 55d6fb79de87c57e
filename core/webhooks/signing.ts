/** Signs webhooks with the secrets of an endpoint, so that receivers can verify the sender. */

import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { SECOND, WEBHOOK_SECRET_OVERLAP, WEBHOOK_SECRETS } from '../limits.ts';

const PREFIX = 'whsec_';
/** Length of a signing key in bytes. Standard Webhooks requires 24 to 64. */
const KEY_BYTES = 32;

/** Secrets, newest first. All secrets except the newest have a time at which they stop signing. */
export const webhookSecretsSchema = z.array(
  z.object({
    /** The secret: `whsec_` and 32 bytes in base64. */
    secret: z.string(),
    /** When the secret was created, in milliseconds since the epoch. */
    madeAt: z.number(),
    /** When the secret stops signing, in milliseconds since the epoch. */
    until: z.optional(z.number()),
  }),
);
export type WebhookSecret = z.infer<typeof webhookSecretsSchema>[number];

/**
 * The store of webhook secrets. The first read of an endpoint creates its first secret, which is the same for
 * concurrent readers.
 */
export interface WebhookSecrets {
  /**
   * Returns the secrets that sign, newest first, at least one. The result can be `WEBHOOK_SECRET_CACHE` ms old.
   */
  current(endpoint: string): Promise<readonly string[]>;
  /** Returns the secrets that sign, without the cache. */
  currentNow(endpoint: string): Promise<readonly WebhookSecret[]>;
  /**
   * Creates a new secret. Earlier secrets continue to sign for `WEBHOOK_SECRET_OVERLAP` ms.
   * @throws TooManySecrets, RotatedMeanwhile
   */
  rotate(endpoint: string): Promise<readonly WebhookSecret[]>;
}

/** Returns the signing key: the bytes that a secret has in base64. */
export const signingKeyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');

/**
 * Creates a webhook secret.
 * @param random 32 random bytes
 */
export function newWebhookSecret(random: Uint8Array): string {
  if (random.length !== KEY_BYTES)
    throw new Error(`A webhook secret needs ${KEY_BYTES} random bytes, got ${random.length}.`);
  return PREFIX + Buffer.from(random).toString('base64');
}

/** Returns the secrets that still sign. */
export const activeSecrets = (secrets: readonly WebhookSecret[], now: number): WebhookSecret[] =>
  secrets.filter(({ until }) => until === undefined || now < until);

/** The endpoint already has the maximum of `WEBHOOK_SECRETS` secrets that sign. */
export class TooManySecrets extends Error {
  override readonly name = 'TooManySecrets';
}

/** A concurrent call has rotated the secret first. */
export class RotatedMeanwhile extends Error {
  override readonly name = 'RotatedMeanwhile';
  constructor(endpoint: string) {
    super(`The secret of ${endpoint} was just rotated by another caller: \`secret show\` prints the new secret.`);
  }
}

/**
 * Adds a new secret, which signs immediately, and removes secrets that no longer sign.
 * @throws TooManySecrets
 */
export function rotateSecrets(secrets: readonly WebhookSecret[], secret: string, now: number): WebhookSecret[] {
  const ending = activeSecrets(secrets, now).map((active) => ({
    ...active,
    until: active.until ?? now + WEBHOOK_SECRET_OVERLAP,
  }));
  const oldest = ending.at(-1);
  if (oldest && ending.length >= WEBHOOK_SECRETS)
    throw new TooManySecrets(
      `The endpoint already has ${ending.length} secrets that sign, which is the maximum. Rotate again after ${new Date(oldest.until).toISOString()}.`,
    );
  return [{ secret, madeAt: now }, ...ending];
}

/** What `sign` signs. */
export interface SigningInput {
  /** Id that is the same for all attempts of one delivery, so that receivers recognize duplicates. */
  readonly id: string;
  /** Time of the attempt, in milliseconds since the epoch. */
  readonly timestamp: number;
  /** The exact bytes of the body. */
  readonly body: string;
  /** One or more secrets that sign. */
  readonly secrets: readonly string[];
}

/**
 * The headers of a webhook, with one signature for each secret in their order. A receiver accepts a delivery if it
 * can verify one signature.
 */
export interface SignatureHeaders extends Record<string, string> {
  readonly 'webhook-id': string;
  /** Seconds since the epoch. */
  readonly 'webhook-timestamp': string;
  /** Space-separated signatures `v1,<base64>`, each an HMAC-SHA256 of `id.timestamp.body`. */
  readonly 'webhook-signature': string;
}

/** Signs a delivery as defined by Standard Webhooks 1.0.0: github.com/standard-webhooks/standard-webhooks. */
export function sign({ id, timestamp, body, secrets }: SigningInput): SignatureHeaders {
  const seconds = Math.floor(timestamp / SECOND);
  const signatureBy = (secret: string) =>
    `v1,${createHmac('sha256', signingKeyOf(secret)).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map(signatureBy).join(' '),
  };
}
