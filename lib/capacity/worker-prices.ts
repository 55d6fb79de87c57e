/** What one worker of an endpoint costs an hour, by the prices of `npm run cost`. */
import type { WorkerPrices } from '../../core/endpoints/worker-price.ts';
import { asOf, type Prices, pricedRegions, readPrices } from '../../prices/prices.ts';
import { fargateHour, instanceHour } from '../../prices/worker-hour.ts';
import type { Capacity, TaskNeeds } from './capacity.ts';
import { cpuUnitsOf, type InstanceType, usableMemory } from './instance-types.ts';
import { type Pool, typesOf } from './pool-declaration.ts';

const UNITS_PER_VCPU = 1_024;
const MIB_PER_GB = 1_024;

/** The part of an instance that a worker has, as if the instance were full. */
function shareOf({ cpu, memory, gpus }: TaskNeeds, type: InstanceType): number {
  const fits = [
    cpuUnitsOf(type) / cpu,
    usableMemory(type) / memory,
    gpus ? type.gpus / gpus : Number.POSITIVE_INFINITY,
  ];
  return 1 / Math.max(1, Math.floor(Math.min(...fits)));
}

/** @returns US dollars; undefined if a price is not known: those of Spot change by the hour */
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
  const size = { architecture: 'X86_64', vcpus: task.cpu / UNITS_PER_VCPU, gb: task.memory / MIB_PER_GB };
  return fargateHour(prices, size);
}

/**
 * @param pool the one that the workers run on, or undefined for Fargate
 * @returns by Region; those without a price file, and all where no price is known, are absent
 */
export function workerPrices(capacity: Capacity, pool: Pool | undefined): WorkerPrices {
  const known = pricedRegions().flatMap((region) => {
    const prices = readPrices(region);
    const hour = workerHour(capacity, pool, prices);
    const date = asOf({ ...prices.perHour, ...prices.instanceHour });
    return hour === undefined ? [] : [[region, { hour, date }] as const];
  });
  return Object.fromEntries(known);
}
