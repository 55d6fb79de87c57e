/** The price of a worker of an endpoint per hour, by the price files of `npm run cost`. */
import type { WorkerPrices } from '../../core/endpoints/endpoint.ts';
import { allPrices, asOf, type Prices } from '../prices/prices.ts';
import { fargateHour, instanceHour } from '../prices/worker-hour.ts';
import type { Capacity, TaskNeeds } from './capacity.ts';
import { cpuUnitsOf, type InstanceType, usableMemory } from './instance-types.ts';
import { type Pool, typesOf } from './pool-declaration.ts';

/** Returns the part of an instance that a worker has, as if the instance were full. */
function shareOf({ cpu, memory, gpus }: TaskNeeds, type: InstanceType): number {
  const fits = [
    cpuUnitsOf(type) / cpu,
    usableMemory(type) / memory,
    gpus ? type.gpus / gpus : Number.POSITIVE_INFINITY,
  ];
  return 1 / Math.max(1, Math.floor(Math.min(...fits)));
}

/**
 * Returns what a worker costs an hour in US dollars, or undefined without a known price: that of Spot changes by the
 * hour.
 */
export function workerHour(
  { task, provider, alone }: Capacity,
  pool: Pool | undefined,
  prices: Prices,
): number | undefined {
  if (pool) {
    if (pool.spot) return undefined;
    const shares = typesOf(pool).map((type) => [type.name, alone ? 1 : shareOf(task, type)] as const);
    return instanceHour(prices, Object.fromEntries(shares));
  }
  if (!('fargate' in provider) || provider.fargate === 'FARGATE_SPOT') return undefined;
  // The architecture of all images of workers, see `taskOn`.
  return fargateHour(prices, { architecture: 'X86_64', cpu: task.cpu, memory: task.memory });
}

/**
 * Returns what a worker costs an hour by Region. Regions without a price file, or without a known price, are absent.
 * @param pool the one that the workers run on, or undefined for Fargate
 */
export function workerPrices(capacity: Capacity, pool: Pool | undefined): WorkerPrices {
  const known = allPrices().flatMap((prices) => {
    const hour = workerHour(capacity, pool, prices);
    const date = asOf({ ...prices.perHour, ...prices.instanceHour });
    return hour === undefined ? [] : [[prices.region, { hour, date }] as const];
  });
  return Object.fromEntries(known);
}
