/** What the present workers cost, by the prices that the deployment has written beside the files of the console. */
import type { Endpoint } from '../api/management-types.ts';

/** US dollars an hour that one worker costs, by endpoint. */
export type HourlyPrices = Readonly<Record<string, number>>;

/**
 * US dollars an hour of the workers that are ready or start: both are charged for.
 * @returns undefined if the endpoint has no price
 */
export function hourlyCost({ id, health: { workers } }: Endpoint, prices: HourlyPrices): number | undefined {
  const price = prices[id];
  return price === undefined ? undefined : price * (workers.ready + workers.initializing);
}

/** The sum of those that have a price. */
export const totalHourlyCost = (endpoints: readonly Endpoint[], prices: HourlyPrices): number =>
  endpoints.reduce((total, endpoint) => total + (hourlyCost(endpoint, prices) ?? 0), 0);

/** Such as `$1.20`; less than a cent has more digits. */
export const dollars = (amount: number): string =>
  `$${amount > 0 && amount < 0.01 ? amount.toPrecision(1) : amount.toFixed(2)}`;
