/**
 * Client keys of functions in the stacks of teams. The secret of each key is in AWS Secrets Manager, where only the
 * function reads it.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { InvalidRequest } from '../requests/errors.ts';
import { type KeyGrant, type Keys, newSecret } from './client-keys.ts';
import { grantFrom } from './grant.ts';

/** Returns the beginning of the names of all secrets of such keys, so that a role can be granted only these secrets. */
export const callerSecretsIn = (deployment: string): string => `${deployment}/client-keys/`;

/** What a stack declares: the endpoints that a function calls, and its name. */
export interface DeclaredCaller {
  readonly stackId: string;
  readonly logicalId: string;
  readonly endpoints: readonly string[];
  /** Name and owner of the key. */
  readonly name: string;
}

/** Returns the endpoints without repetitions, in the order by which the name of a secret identifies them. */
export const sortedEndpoints = (endpoints: Iterable<string>): string[] =>
  [...new Set(endpoints)].sort((one, other) => (one < other ? -1 : 1));

/**
 * Returns the name of the caller's secret. It changes with the endpoints and the name, so that CloudFormation replaces
 * the key and revokes the old key after the function has the new one.
 */
export function callerSecretName(deployment: string, { stackId, logicalId, endpoints, name }: DeclaredCaller): string {
  const identity = JSON.stringify([stackId, logicalId, sortedEndpoints(endpoints), name]);
  return `${callerSecretsIn(deployment)}${createHash('sha256').update(identity).digest('hex').slice(0, 20)}`;
}

/** A stored secret, without its value. */
export interface CallerSecret {
  readonly arn: string;
  /** The hash of the key. */
  readonly hash: string;
}

export interface CallerSecrets {
  /**
   * Stores the secret of a key.
   * @returns the stored secret. If the name is taken, this is the existing secret, which does not change
   */
  create(name: string, secret: string): Promise<CallerSecret>;
  /** Returns a secret, also if it is scheduled for deletion. */
  find(name: string): Promise<CallerSecret | undefined>;
  /** Deletes a secret immediately, if it exists. */
  remove(name: string): Promise<void>;
}

export interface CallerKeyPorts {
  readonly clock: Clock;
  readonly keys: Pick<Keys, 'create' | 'remove'>;
  readonly callerSecrets: CallerSecrets;
}

/**
 * Validates what the key of a caller permits: all operations on exactly these endpoints.
 * @throws InvalidRequest
 */
function grantOf({ endpoints, name }: DeclaredCaller, now: number): KeyGrant {
  if (endpoints.includes('*'))
    throw new InvalidRequest('`endpoints` must be endpoint ids, got *: name each endpoint that the function calls.');
  return grantFrom({ name, endpoints: sortedEndpoints(endpoints) }, now);
}

/**
 * Creates the key of a caller, and stores its secret. If CloudFormation repeats the request, the key stays the same.
 *
 * The secret is stored before the key becomes valid. If the function fails in between, the secret opens nothing, and
 * the next attempt finds it and stores its key. In the other order, each failure would leave a valid key without a
 * stored secret, by whose hash it could be revoked.
 * @param random 64 random bytes
 * @returns the ARN of the secret
 * @throws InvalidRequest
 */
export async function ensureCallerKey(
  { clock, keys, callerSecrets }: CallerKeyPorts,
  deployment: string,
  caller: DeclaredCaller,
  random: Uint8Array,
): Promise<string> {
  const grant = grantOf(caller, clock.now());
  const { arn, hash } = await callerSecrets.create(callerSecretName(deployment, caller), newSecret(random));
  await keys.create({ ...grant, hash, createdAt: clock.now() });
  return arn;
}

/**
 * Revokes the key of a caller and deletes its secret, if they exist. The secret is deleted last, because only its
 * description contains the hash of the key. Caches accept the key for up to `KEY_CACHE` + `DECISION_CACHE` ms longer.
 */
export async function removeCallerKey(
  { keys, callerSecrets }: Omit<CallerKeyPorts, 'clock'>,
  name: string,
): Promise<void> {
  const secret = await callerSecrets.find(name);
  if (!secret) return;
  await keys.remove(secret.hash);
  await callerSecrets.remove(name);
}
