/**
 * The context `reservedConcurrency`: reserved concurrency of the functions on which all others depend. It is off by
 * default, because AWS refuses a reservation that leaves fewer than 100 executions to all other functions, and a new
 * account has 10 in total.
 *
 * A reservation is also a maximum, so each size is larger than the function needs:
 *  - `authorizer`: called by each HTTP request, for some 20 ms. 100 executions serve 5,000 requests a second. Above
 *    this rate, API Gateway answers 429, and no other function runs for the request.
 *  - `ledger`: Lambda runs one execution for each shard of the jobs stream. A new table has some 4 shards; a busy
 *    table has one shard for each 1,000 writes a second. With more than 20 shards, some shards wait. No change is
 *    lost.
 *  - `sweeper`: one execution starts each minute and finishes within 5 minutes.
 *  - `observer`: a worker that starts and stops causes some 6 events, each handled in some 50 ms. 10 executions keep
 *    up with 30 workers a second. EventBridge repeats throttled events for hours.
 *
 * Without the ingress, functions serve the calls that wait. These functions have no reservation. The slots must
 * refuse a call before Lambda throttles it, because API Gateway turns Lambda's throttling into a 500. One function
 * may use all slots, and also serves calls that need no slot. Its reservation would have to exceed the number of
 * slots, which is half of the account's concurrency. AWS does not allow two reservations of this size.
 */
import type { IConstruct } from 'constructs';
import * as z from 'zod/mini';
import { fieldTexts, type Setting } from '../settings/field-text.ts';
import { InvalidSetting, wholeNumber } from '../settings/settings.ts';

const SETTING = 'reservedConcurrency';

const sizes = { authorizer: 100, ledger: 20, sweeper: 5, observer: 10 } as const;
export type ReservingFunction = keyof typeof sizes;

const bounds = { min: 1, max: 10_000 } as const;

const size = (name: ReservingFunction, its: string) =>
  z.optional(wholeNumber(bounds.min, bounds.max)).register(fieldTexts, {
    description: `Executions that Lambda reserves for the function ${its}.`,
    default: sizes[name],
    guide: 'reservedConcurrency',
  });

const sizesSchema = z.strictObject({
  authorizer: size('authorizer', 'that checks the key of each request'),
  ledger: size('ledger', 'that counts jobs'),
  sweeper: size('sweeper', 'that ends overdue jobs and repairs crashes each minute'),
  observer: size('observer', 'that records the events of workers'),
});

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

export const reservedConcurrencySetting: Setting = {
  read: (scope) => reservedConcurrencyOf(scope, 'ledger'),
  text: {
    description: 'Reserves Lambda executions for the functions on which all others depend.',
    type: 'string or mapping',
    default: 'off',
    allowed: `\`on\` for the defaults of its fields, \`off\`, or a mapping with some of the keys ${Object.keys(sizes).join(', ')}`,
    condition: 'Only `on` and `off` on the command line.',
    guide: 'reservedConcurrency',
  },
  fields: [sizesSchema],
};
