/** Validates the grant of a new key, for `POST /keys` and `npx gpu-endpoints keys create`. */
import * as z from 'zod/mini';
import { isEndpointId } from '../endpoints/endpoint-id.ts';
import { isReservedId } from '../endpoints/reserved-ids.ts';
import { budgetSchema } from '../endpoints/spending.ts';
import { keyOperations, templateScopes } from '../operations/routes.ts';
import { InvalidRequest } from '../requests/errors.ts';
import { timeFrom, timeSchema } from '../requests/time.ts';
import { shown, validate } from '../requests/validation.ts';
import { OWNER, ownerMust } from '../users/owner.ts';
import type { KeyGrant } from './client-keys.ts';

/** Maximum length of a name and an owner, in characters, and maximum length of a list. */
export const grantLimits = { text: 128, list: 100 } as const;

const alternatives = (names: readonly string[]) => `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

const textMust = `must be a string of 1 to ${grantLimits.text} characters without control characters`;
const text = z
  .string(textMust)
  .check(z.minLength(1, textMust), z.maxLength(grantLimits.text, textMust), z.regex(/^\P{Cc}*$/u, textMust));

const ownerMustBe = `${ownerMust}, of 1 to ${grantLimits.text} characters`;
const owner = z.string(ownerMustBe).check(z.maxLength(grantLimits.text, ownerMustBe), z.regex(OWNER, ownerMustBe));

function list<Member extends z.ZodMiniType>(member: Member) {
  const must = `must be a list of 1 to ${grantLimits.list}`;
  return z.array(member, must).check(z.minLength(1, must), z.maxLength(grantLimits.list, must));
}

const endpointMust = 'must be endpoint ids or *';
const reservedMust = 'must be endpoint ids or *, and no new endpoint can have an id that is reserved for paths';
const endpoint = z.string(endpointMust).check(
  z.refine((id) => !isReservedId(id), { error: reservedMust, abort: true }),
  z.refine((id) => id === '*' || isEndpointId(id), endpointMust),
);
const operation = z.enum([...keyOperations, '*'], `must be ${alternatives([...keyOperations, '*'])}`);
const scope = z.enum(templateScopes, `must be ${alternatives(templateScopes)}`);

const members = {
  name: text,
  /**
   * Owner of the templates and endpoints that the key can change.
   * @default - the name
   */
  owner: z.optional(owner),
  endpoints: z._default(list(endpoint), ['*']),
  operations: z._default(list(operation), ['*']),
  /**
   * What the key may do with templates.
   * @default - none
   */
  scopes: z.optional(
    z.array(scope, 'must be a list').check(z.maxLength(templateScopes.length, 'must be a list of at most 3')),
  ),
  /**
   * When the key expires.
   * @default - never
   */
  expiresAt: z.optional(timeSchema),
  /**
   * Dollars of worker time in a day (UTC) after which the key submits no more jobs.
   * @default - no budget
   */
  maxDollarsPerDay: z.optional(budgetSchema),
};
export const grantSchema = z.object(members);

/**
 * Validates the grant of a key.
 * @param value an object with members of `grantSchema`; unknown members are refused, because a misspelt
 * restriction would permit too much
 * @param now milliseconds since the epoch
 * @throws InvalidRequest with each wrong value and the allowed values
 */
export function grantFrom(value: Readonly<Record<string, unknown>>, now: number): KeyGrant {
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(members, name));
  if (unknown.length > 0)
    throw new InvalidRequest(
      `A key has no field \`${shown(unknown[0]).slice(1, -1)}\`: use ${alternatives(Object.keys(members))}.`,
    );
  const { name, owner = name, scopes = [], expiresAt, ...rest } = validate(grantSchema, value, '');
  if (!OWNER.test(owner))
    throw new InvalidRequest(`\`owner\` ${ownerMustBe}, got ${shown(owner)}, the name: send an \`owner\`.`);
  const expiry = expiresAt === undefined ? undefined : timeFrom(expiresAt);
  if (expiry !== undefined && expiry <= now)
    throw new InvalidRequest(`\`expiresAt\` must be in the future, got ${shown(expiresAt)}.`);
  return { name, owner, scopes, ...rest, ...(expiry !== undefined && { expiresAt: expiry }) };
}
