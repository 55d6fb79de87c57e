/**
 * Reserved concurrency of the functions on which all others depend: the context `reservedConcurrency`. It is off by
 * default, because AWS refuses a reservation that leaves less than 100 executions to all other functions, and a new
 * account has 10 in all.
 *
 * A reservation is a maximum as well, so each size is more than the function uses:
 *  - `authorizer`: called by each HTTP request, for some 20 ms. 100 executions serve 5,000 requests a second. Beyond
 *    them API Gateway answers 429, before the request takes an execution of another function.
 *  - `ledger`: Lambda runs one execution for each shard of the jobs stream. A new table has some 4 shards, a busy one
 *    has one for each 1,000 writes a second. With more than 20 shards, some wait for their turn; no change is lost.
 *  - `sweeper`: one execution begins each minute and ends within 5 minutes.
 *  - `observer`: a worker that starts and stops causes some 6 events, each handled in some 50 ms. 10 executions follow
 *    30 workers a second; EventBridge repeats what is throttled for hours.
 *
 * Without the ingress, functions serve calls that wait. They have no reservation. Their slots must refuse first,
 * because API Gateway turns Lambda's throttling into a 500. All slots may be in use by one of them, and calls that need
 * no slot come on top. So each would need more than all slots, which is half of the account: more than AWS lets two
 * functions reserve.
 */
import type { IConstruct } from 'constructs';
import * as z from 'zod/mini';
import { InvalidSetting, wholeNumber } from '../settings/settings.ts';

const SETTING = 'reservedConcurrency';

const sizes = { authorizer: 100, ledger: 20, sweeper: 5, observer: 10 } as const;
export type ReservingFunction = keyof typeof sizes;

const bounds = { min: 1, max: 10_000 } as const;
const size = z.optional(wholeNumber(bounds.min, bounds.max));
const sizesSchema = z.strictObject({ authorizer: size, ledger: size, sweeper: size, observer: size });

/**
 * Returns how many executions are reserved for the function, or undefined if none are.
 * @throws InvalidSetting
 */
export function reservedConcurrencyOf(scope: IConstruct, name: ReservingFunction): number | undefined {
  const value: unknown = scope.node.tryGetContext(SETTING);
  if (value === undefined || value === '' || value === 'off') return undefined;
  if (value === 'on') return sizes[name];
  const given = z.safeParse(sizesSchema, value);
  if (given.success) return given.data[name] ?? sizes[name];
  throw new InvalidSetting(
    `The context \`${SETTING}\` is ${JSON.stringify(value)}; it must be "on", "off", or an object with whole numbers from ${bounds.min} to ${bounds.max} for some of ${Object.keys(sizes).join(', ')}.`,
  );
}
