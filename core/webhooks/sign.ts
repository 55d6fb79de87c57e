/** Signatures of deliveries, as Standard Webhooks 1.0.0 has them: github.com/standard-webhooks/standard-webhooks. */
import { createHmac } from 'node:crypto';
import { SECOND } from '../limits.ts';
import { keyIn } from './secret.ts';

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
