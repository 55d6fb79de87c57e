/** Reads the headers of telemetry from a secret, so that no template, variable or log contains them. */
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import type { Clock } from '../../core/clock.ts';
import { MINUTE } from '../../core/limits.ts';
import { createCache } from '../cache.ts';
import { requestHandler } from '../request-handler.ts';

/** Returns headers by name. */
export type ReadHeaders = () => Promise<Readonly<Record<string, string>>>;

/** A changed secret is used after this time. */
const KEPT = 5 * MINUTE;

const headersSchema = z.record(
  z.string().check(z.regex(/^[\w-]{1,100}$/)),
  z.string().check(z.regex(/^[\t\x20-\x7e]{1,8000}$/)),
);

/** The secret is not a JSON object of header names and values. The message contains nothing of it. */
class InvalidHeaders extends Error {
  override readonly name = 'INVALID_HEADERS_SECRET';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of the error quotes the text.
    return undefined;
  }
}

function headersIn(text: string): Readonly<Record<string, string>> {
  const { data } = headersSchema.safeParse(parsed(text));
  if (data === undefined) throw new InvalidHeaders();
  return data;
}

/**
 * Reads the headers once in a while.
 * @param secret name of the secret
 */
export function createHeaders(secret: string, clock: Clock): ReadHeaders {
  const secrets = new SecretsManagerClient({ requestHandler: requestHandler('keys') });
  const read = createCache(clock, KEPT, async (SecretId: string) => {
    const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId }));
    return headersIn(SecretString);
  });
  return () => read(secret);
}
