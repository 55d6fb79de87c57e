/** The hourly price of a worker of an endpoint, from the price files of `npx gpu-endpoints cost estimate`. */
import type { WorkerPrices } from '../../core/endpoints/endpoint.ts';
import { allPrices, asOf, type Prices } from '../prices/prices.ts';
import { fargateHour, instanceHour } from '../prices/worker-hour.ts';
import type { Capacity, TaskNeeds } from './capacity.ts';
import { cpuUnitsOf, type InstanceType, maxTasks, usableMemory } from './instance-types.ts';
import { type Pool, typesOf } from './pool-declaration.ts';

/** Returns a worker's share of an instance, as if the instance were full. */
function shareOf({ cpu, memory, gpus }: TaskNeeds, type: InstanceType): number {
  const fits = [
    cpuUnitsOf(type) / cpu,
    usableMemory(type) / memory,
    gpus ? type.gpus / gpus : Number.POSITIVE_INFINITY,
    maxTasks(type),
  ];
  return 1 / Math.max(1, Math.floor(Math.min(...fits)));
}

/**
 * Returns the hourly price of a worker in US dollars, or undefined if it is unknown. Spot prices change hourly, so
 * they are unknown.
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
  // All images of workers have this architecture, see `taskOn`.
  return fargateHour(prices, { architecture: 'X86_64', cpu: task.cpu, memory: task.memory });
}

/**
 * Returns the hourly price of a worker by Region. Regions without a price file or without a known price are absent.
 * @param pool pool of the workers, or undefined for Fargate
 */
export function workerPrices(capacity: Capacity, pool: Pool | undefined): WorkerPrices {
  const known = allPrices().flatMap((prices) => {
    const hour = workerHour(capacity, pool, prices);
    const date = asOf({ ...prices.perHour, ...prices.instanceHour });
    return hour === undefined ? [] : [[prices.region, { hour, date }] as const];
  });
  return Object.fromEntries(known);
}
