/** Computes the cost of the current workers from the price per worker that the deployment has computed. */
import type { Cost, Endpoint } from '../api/management-types.ts';

/** Returns the number of workers that AWS charges for: ready and starting workers. */
const charged = ({ health: { workers } }: Endpoint) => workers.ready + workers.initializing;

/**
 * Returns the hourly cost of the current workers in US dollars, or undefined if the price of a worker is not known.
 */
export function hourlyCost(endpoint: Endpoint): number | undefined {
  const { workerPrice } = endpoint;
  return workerPrice && workerPrice.hour * charged(endpoint);
}

/** Returns the sum of all known costs, or undefined if none is known. */
export function totalHourlyCost(endpoints: readonly Endpoint[]): number | undefined {
  const costs = endpoints.map(hourlyCost).filter((cost) => cost !== undefined);
  return costs.length > 0 ? costs.reduce((total, cost) => total + cost, 0) : undefined;
}

/** Formats an amount, such as `$1.20`. An amount of less than a cent gets more digits. */
export const dollars = (amount: number): string =>
  `$${amount > 0 && amount < 0.01 ? amount.toPrecision(1) : amount.toFixed(2)}`;

/** Returns the share of idle workers, from 0 to 1, if it is most of a cost of at least a cent; otherwise undefined. */
export function mostlyIdle({ idle, total }: Cost['dollars']): number | undefined {
  const share = total < 0.01 ? 0 : idle / total;
  return share > 0.5 ? share : undefined;
}

const EXCLUDED = 'On-demand prices. Excludes disks, traffic and unused capacity of instances.';

interface Note {
  readonly text: string;
  /** Costs that the figure excludes. */
  readonly excluded: string;
}

/** Returns the Region and date of the oldest price of these endpoints, and the costs that the figure excludes. */
export function costNote(endpoints: readonly Endpoint[]): Note {
  const prices = endpoints.flatMap(({ workerPrice }) => workerPrice ?? []);
  const [oldest] = prices.toSorted((a, b) => (a.date < b.date ? -1 : 1));
  if (!oldest) return { text: 'no price is known', excluded: EXCLUDED };
  const unpriced = endpoints.filter((endpoint) => !endpoint.workerPrice && charged(endpoint) > 0).map(({ id }) => id);
  const lacks = unpriced.length > 0 ? ` Excludes ${unpriced.join(', ')}, whose price is unknown.` : '';
  return { text: `prices of ${oldest.region}, ${oldest.date}`, excluded: `${EXCLUDED}${lacks}` };
}
