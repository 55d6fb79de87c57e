/** What the words after `npm run keys -- create` mean. */
import { ENDPOINT_ID } from '../core/endpoints/endpoint.ts';
import type { KeyGrant } from '../core/keys/create.ts';
import { templateScopes } from '../core/keys/key.ts';
import { DAY, HOUR } from '../core/limits.ts';
import { keyOperations } from '../core/routes.ts';

/** A word that says nothing sensible; the message names it and what there is. */
export class UsageError extends Error {}

export interface GrantWords {
  readonly name?: string;
  readonly owner?: string;
  readonly endpoints: string;
  readonly operations: string;
  readonly scopes?: string;
  readonly expires?: string;
}

const units = { h: HOUR, d: DAY } as const;
const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?Z)?$/;

/** When a key expires, in milliseconds: after so many days or hours, or at a time in UTC. */
function expiryFrom(text: string, now: number): number {
  const [, count, unit] = /^([1-9]\d{0,4})([hd])$/.exec(text) ?? [];
  if (count !== undefined) return now + Number(count) * units[unit as keyof typeof units];
  const time = DATE.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new UsageError(
      `--expires takes 30d, 12h, a date such as 2030-01-31, or a time such as 2030-01-31T12:00Z, got ${JSON.stringify(text)}.`,
    );
  if (time <= now) throw new UsageError(`--expires ${text} is in the past.`);
  return time;
}

const inWords = (words: readonly string[]) => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** A list of words, each of which is known. */
function listFrom<Word extends string>(option: string, text: string, known: readonly Word[]): Word[] {
  const words = text.split(',');
  const unknown = words.find((word) => !known.some((one) => one === word));
  if (unknown !== undefined) throw new UsageError(`${option} takes ${inWords(known)}, got ${JSON.stringify(unknown)}.`);
  return words as Word[];
}

function endpointsFrom(text: string): string[] {
  const ids = text.split(',');
  const wrong = ids.find((id) => id !== '*' && !ENDPOINT_ID.test(id));
  if (wrong !== undefined) throw new UsageError(`--endpoints takes endpoint ids or *, got ${JSON.stringify(wrong)}.`);
  return ids;
}

/** @throws UsageError */
export function grantFrom({ name, owner, ...words }: GrantWords, now: number): KeyGrant {
  if (!name) throw new UsageError('--name is missing: say what the key is for.');
  if (owner === '') throw new UsageError('--owner is empty: say who the key belongs to.');
  return {
    name,
    owner: owner ?? name,
    endpoints: endpointsFrom(words.endpoints),
    operations: listFrom('--operations', words.operations, [...keyOperations, '*']),
    scopes: words.scopes === undefined ? [] : listFrom('--scopes', words.scopes, templateScopes),
    ...(words.expires !== undefined && { expiresAt: expiryFrom(words.expires, now) }),
  };
}
