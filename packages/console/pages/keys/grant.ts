/** The form of a new key, and the request body built from it. */

import { DAY } from '../../units.ts';
import { EVERY } from './key.ts';

/** Lifetime of a key: `never`, a number of days, or `date` for a date that the user chooses. */
export const lifetimes = [
  { value: 'never', label: 'No expiry' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'date', label: 'On a day' },
] as const;
export type Lifetime = (typeof lifetimes)[number]['value'];

export interface GrantDraft {
  readonly name: string;
  /** If empty, the owner is the name of the key. */
  readonly owner: string;
  /** Undefined permits every endpoint. */
  readonly endpoints: readonly string[] | undefined;
  /** Undefined permits every operation. */
  readonly operations: readonly string[] | undefined;
  readonly scopes: readonly string[];
  readonly lifetime: Lifetime;
  /** `YYYY-MM-DD`, if the lifetime is `date`. */
  readonly date: string;
}

export const emptyGrant: GrantDraft = {
  name: '',
  owner: '',
  endpoints: undefined,
  operations: undefined,
  scopes: [],
  lifetime: '90',
  date: '',
};

/** Body of `POST /v1/keys`. */
export interface Grant {
  readonly name: string;
  readonly owner?: string;
  readonly endpoints: readonly string[];
  readonly operations: readonly string[];
  readonly scopes: readonly string[];
  /** ISO 8601. */
  readonly expiresAt?: string;
}

function expiryOf({ lifetime, date }: GrantDraft, now: number): string | undefined {
  if (lifetime === 'never') return undefined;
  return lifetime === 'date' ? `${date}T00:00:00.000Z` : new Date(now + Number(lifetime) * DAY).toISOString();
}

/**
 * Converts the form to the request body.
 * @param now milliseconds since the epoch
 */
export function grantOf(draft: GrantDraft, now: number): Grant {
  const owner = draft.owner.trim();
  const expiresAt = expiryOf(draft, now);
  return {
    name: draft.name.trim(),
    ...(owner !== '' && { owner }),
    endpoints: draft.endpoints ?? [EVERY],
    operations: draft.operations ?? [EVERY],
    scopes: draft.scopes,
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

/** Returns the errors, by field, that prevent the form from being sent. The service checks the other rules. */
export function missingOf(draft: GrantDraft, now: number): Readonly<Record<string, string | undefined>> {
  const expiresAt = expiryOf(draft, now);
  const isDay = expiresAt === undefined || !Number.isNaN(Date.parse(expiresAt));
  return {
    ...(draft.name.trim() === '' && { name: 'Enter what the key is for.' }),
    ...(draft.endpoints?.length === 0 && { endpoints: 'Choose an endpoint or "Every endpoint".' }),
    ...(draft.operations?.length === 0 && { operations: 'Choose an operation or "Every operation".' }),
    ...(!isDay && { expiresAt: 'Enter the date as YYYY/MM/DD.' }),
    ...(isDay &&
      expiresAt !== undefined &&
      Date.parse(expiresAt) <= now && { expiresAt: 'Enter a date in the future.' }),
  };
}
