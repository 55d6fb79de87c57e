/** The cost of the present workers, by the price per worker that the deployment has computed. */
import type { Endpoint } from '../api/management-types.ts';

/** Workers that AWS charges for: ready and starting ones. */
const charged = ({ health: { workers } }: Endpoint) => workers.ready + workers.initializing;

/**
 * US dollars an hour of the present workers.
 * @returns undefined if the price of a worker is not known
 */
export function hourlyCost(endpoint: Endpoint): number | undefined {
  const { workerPrice } = endpoint;
  return workerPrice && workerPrice.hour * charged(endpoint);
}

/** The sum of those that have a price. @returns undefined if none has */
export function totalHourlyCost(endpoints: readonly Endpoint[]): number | undefined {
  const costs = endpoints.map(hourlyCost).filter((cost) => cost !== undefined);
  return costs.length > 0 ? costs.reduce((total, cost) => total + cost, 0) : undefined;
}

/** Such as `$1.20`; less than a cent has more digits. */
export const dollars = (amount: number): string =>
  `$${amount > 0 && amount < 0.01 ? amount.toPrecision(1) : amount.toFixed(2)}`;

const EXCLUDED = 'On demand, without disks, traffic and the room of instances that no worker uses.';

interface Note {
  readonly text: string;
  /** The costs that the figure excludes. */
  readonly excluded: string;
}

/** The Region and date of the prices behind a figure of these endpoints, and the costs that it excludes. */
export function costNote(endpoints: readonly Endpoint[]): Note {
  const prices = endpoints.flatMap(({ workerPrice }) => workerPrice ?? []);
  const [oldest] = prices.toSorted((a, b) => (a.date < b.date ? -1 : 1));
  if (!oldest) return { text: 'no price is known', excluded: EXCLUDED };
  const unpriced = endpoints.filter((endpoint) => !endpoint.workerPrice && charged(endpoint) > 0).map(({ id }) => id);
  const lacks = unpriced.length > 0 ? ` It lacks ${unpriced.join(', ')}, whose price is not known.` : '';
  return { text: `prices of ${oldest.region}, ${oldest.date}`, excluded: `${EXCLUDED}${lacks}` };
}
