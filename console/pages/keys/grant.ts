/** The form of a new key, and the request that is made of it. */
import { EVERY } from './key.ts';

const DAY = 24 * 3_600_000;

/** How long a key may be valid; days, or `date` for a day to choose. */
export const lifetimes = [
  { value: 'never', label: 'It does not expire' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'date', label: 'On a day' },
] as const;
export type Lifetime = (typeof lifetimes)[number]['value'];

export interface GrantDraft {
  readonly name: string;
  /** Empty for the name of the key. */
  readonly owner: string;
  /** Undefined for every endpoint. */
  readonly endpoints: readonly string[] | undefined;
  /** Undefined for every operation. */
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

/** The body of `POST /v1/keys`. */
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

/** @param now milliseconds since the epoch */
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

/** The errors that keep the form from being sent, by field. The service checks the rest. */
export function missingOf(draft: GrantDraft, now: number): Readonly<Record<string, string | undefined>> {
  const expiresAt = expiryOf(draft, now);
  const isDay = expiresAt === undefined || !Number.isNaN(Date.parse(expiresAt));
  return {
    ...(draft.name.trim() === '' && { name: 'Say what the key is for.' }),
    ...(draft.endpoints?.length === 0 && { endpoints: 'Choose an endpoint, or permit every endpoint.' }),
    ...(draft.operations?.length === 0 && { operations: 'Choose an operation, or permit every operation.' }),
    ...(!isDay && { expiresAt: 'Write the day as YYYY/MM/DD.' }),
    ...(isDay && expiresAt !== undefined && Date.parse(expiresAt) <= now && { expiresAt: 'This day is in the past.' }),
  };
}
