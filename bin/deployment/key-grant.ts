/** Reads the options of `gpu-endpoints keys create`. */

import type { KeyGrant } from '../../core/keys/client-keys.ts';
import { grantFrom as checkedGrant } from '../../core/keys/grant.ts';
import { DAY, HOUR } from '../../core/limits.ts';
import { InvalidRequest } from '../../core/requests/errors.ts';
import { timeExamples, timeFrom } from '../../core/requests/time.ts';
import { UsageError } from '../usage-error.ts';

export interface GrantOptions {
  readonly name: string;
  readonly owner?: string;
  readonly endpoints: string;
  readonly operations: string;
  readonly scopes?: string;
  readonly expires?: string;
  readonly maxDollarsPerDay?: number;
}

const units = { h: HOUR, d: DAY } as const;

/** Returns when a key expires, in milliseconds: after a number of days or hours, or at a time in UTC. */
function expiryFrom(text: string, now: number): number {
  const [, count, unit] = /^([1-9]\d{0,4})([hd])$/.exec(text) ?? [];
  if (count !== undefined) return now + Number(count) * units[unit as keyof typeof units];
  const time = timeFrom(text);
  if (time === undefined)
    throw new UsageError(
      `--expires must be a period such as 30d or 12h, ${timeExamples}, got ${JSON.stringify(text)}.`,
    );
  if (time <= now) throw new UsageError(`--expires ${text} is in the past.`);
  return time;
}

/** Replaces names of fields with names of options: `` `operations.1` `` with `--operations`. */
const inOptions = (sentence: string) => sentence.replaceAll(/`(\w+)(?:\.\d+)?` must/g, '--$1 must');

/**
 * Returns the grant of a new key.
 * @throws UsageError
 */
export function grantFrom({ name, owner, ...options }: GrantOptions, now: number): KeyGrant {
  if (!name) throw new UsageError('--name is empty: set it to what the key is for.');
  if (owner === '') throw new UsageError('--owner is empty: set it to the owner of the key, or omit it.');
  const expiresAt = options.expires === undefined ? undefined : expiryFrom(options.expires, now);
  const grant = {
    name,
    owner,
    endpoints: options.endpoints.split(','),
    operations: options.operations.split(','),
    scopes: options.scopes?.split(','),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    ...(options.maxDollarsPerDay !== undefined && { maxDollarsPerDay: options.maxDollarsPerDay }),
  };
  try {
    return checkedGrant(grant, now);
  } catch (error) {
    throw error instanceof InvalidRequest ? new UsageError(inOptions(error.message), { cause: error }) : error;
  }
}
