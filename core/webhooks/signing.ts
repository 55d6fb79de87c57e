/** The secrets by which the receivers of an endpoint's webhooks know that a delivery is from here. */

import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { SECOND, WEBHOOK_SECRET_OVERLAP, WEBHOOK_SECRETS } from '../limits.ts';

const PREFIX = 'whsec_';
/** Standard Webhooks asks for 24 to 64. */
const KEY_BYTES = 32;

/** The newest first. Every one but the newest stops to sign at its time. */
export const webhookSecretsSchema = z.array(
  z.object({
    /** `whsec_` and 32 bytes in base64. */
    secret: z.string(),
    /** Milliseconds since the epoch. */
    madeAt: z.number(),
    /** It signs no more from then on, in milliseconds since the epoch. */
    until: z.optional(z.number()),
  }),
);
export type WebhookSecret = z.infer<typeof webhookSecretsSchema>[number];

/** Where they are kept. An endpoint has its first one as soon as anybody asks for it: of all who ask at once, all get the same. */
export interface WebhookSecrets {
  /** Those that sign now, the newest first, one at least; a rotation may be up to `WEBHOOK_SECRET_CACHE` ms ago. */
  current(endpoint: string): Promise<readonly string[]>;
  /** Those that sign now, as they are stored now. */
  currentNow(endpoint: string): Promise<readonly WebhookSecret[]>;
  /**
   * Makes a new one, beside which those before sign for `WEBHOOK_SECRET_OVERLAP` ms more.
   * @throws TooManySecrets, RotatedMeanwhile
   */
  rotate(endpoint: string): Promise<readonly WebhookSecret[]>;
}

/** The bytes by which it signs. */
export const keyIn = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');

/** @param random 32 random bytes */
export function newWebhookSecret(random: Uint8Array): string {
  if (random.length !== KEY_BYTES) throw new Error(`A webhook secret is made of ${KEY_BYTES} random bytes.`);
  return PREFIX + Buffer.from(random).toString('base64');
}

/** Of those that were made, the ones that sign. */
export const signing = (secrets: readonly WebhookSecret[], now: number): WebhookSecret[] =>
  secrets.filter(({ until }) => until === undefined || now < until);

/** So many secrets sign already that there is no room for another one. */
export class TooManySecrets extends Error {}

/** Two have rotated at once, and the other one was faster. */
export class RotatedMeanwhile extends Error {
  constructor(endpoint: string) {
    super(`The secret of ${endpoint} was rotated by somebody else just now: \`secret show\` prints it.`);
  }
}

/**
 * With a new one, which signs at once; what signs no more is forgotten.
 * @throws TooManySecrets
 */
export function rotated(secrets: readonly WebhookSecret[], secret: string, now: number): WebhookSecret[] {
  const before = signing(secrets, now).map((one) => ({ until: now + WEBHOOK_SECRET_OVERLAP, ...one }));
  const oldest = before.at(-1);
  if (oldest && before.length >= WEBHOOK_SECRETS)
    throw new TooManySecrets(
      `${before.length} secrets sign already. Rotate again after ${new Date(oldest.until).toISOString()}.`,
    );
  return [{ secret, madeAt: now }, ...before];
}

/** Signatures of deliveries, as Standard Webhooks 1.0.0 has them: github.com/standard-webhooks/standard-webhooks. */
export interface ToSign {
  /** The same for every try of one delivery: a receiver knows by it what it has had before. */
  readonly id: string;
  /** When this try is made, in milliseconds since the epoch. */
  readonly timestamp: number;
  /** The body as it is sent, to the byte. */
  readonly body: string;
  /** Those that sign now, one or more. */
  readonly secrets: readonly string[];
}

/** In the order of the secrets, one signature each: a receiver takes the delivery if it can verify any. */
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
