/** Compares what a load demands with the quotas of AWS and the limits of the service. */
import { type Basis, demands, ofEndpoints, ofWorkers } from './demands.ts';
import { ownLimits } from './design.ts';
import type { Load } from './load.ts';
import type { Quota, Quotas } from './quotas.ts';

/** What grows with the demand: the rate of jobs, the number of workers that run them, or the number of endpoints. */
export type Group = 'jobs' | 'workers' | 'endpoints';

export interface Row extends Quota {
  /** Name of the quota, as for `--quota`, or of the limit. */
  readonly id: string;
  readonly group: Group;
  readonly demand: number;
  /** Demand by quota. More than 1 is too much. Infinite if the quota is 0. */
  readonly use: number;
  /** The rate of jobs at which the quota is used up, with the same endpoints; absent if it does not depend on it. */
  readonly reachedAt?: number;
}

export interface Saturation {
  readonly load: Load;
  readonly jobsPerDay: number;
  /** The number of workers, on average. */
  readonly workers: number;
  /** All demands, the most used quota first. */
  readonly rows: readonly Row[];
  /** What each group uses up first, if the load grows. */
  readonly first: Readonly<Record<Group, Row | undefined>>;
}

const DAY_SECONDS = 86_400;
/** Rates between which the rate is searched at which a quota is used up, the factor of a step, and the halvings of it. */
const [LOWEST, HIGHEST, STEP, HALVINGS] = [1e-6, 1e12, 1.2, 50];

const groupOf = (id: string): Group =>
  ofWorkers.includes(id) ? 'workers' : ofEndpoints.includes(id) ? 'endpoints' : 'jobs';

/**
 * Returns the lowest rate of jobs at which the demand exceeds the quota. The demand can fall again at higher rates,
 * because a table with more partitions has more shards for the ledger.
 */
function rateAt(quota: number, demandAt: (rate: number) => number): number | undefined {
  let high = LOWEST;
  while (demandAt(high) <= quota) {
    if (high > HIGHEST) return undefined;
    high *= STEP;
  }
  let low = high / STEP;
  for (let n = 0; n < HALVINGS; n += 1) {
    const middle = (low + high) / 2;
    if (demandAt(middle) > quota) high = middle;
    else low = middle;
  }
  return low;
}

const useOf = (demand: number, quota: number) => (demand === 0 ? 0 : demand / quota);

export function saturationOf(load: Load, basis: Basis, quotas: Quotas): Saturation {
  const limits: Quotas = { ...quotas, ...ownLimits };
  const rows = Object.entries(demands).map(([id, demandOf]): Row => {
    const limit = limits[id];
    if (!limit) throw new Error(`The demand ${id} has no quota in quotas.yaml, and no limit in design.ts.`);
    const demand = demandOf(load, basis);
    const group = groupOf(id);
    const at = (jobsPerSecond: number) => demandOf({ ...load, jobsPerSecond }, basis);
    const reachedAt = group === 'endpoints' ? undefined : rateAt(limit.value, at);
    const use = useOf(demand, limit.value);
    return { id, group, ...limit, demand, use, ...(reachedAt !== undefined && { reachedAt }) };
  });
  const sorted = rows.toSorted((one, other) => other.use - one.use);
  const soonest = (group: Group) =>
    sorted
      .filter((row) => row.group === group && row.reachedAt !== undefined)
      .toSorted((one, other) => (one.reachedAt ?? 0) - (other.reachedAt ?? 0))[0];
  // The number of endpoints does not follow from the rate of jobs, so the most used of their quotas is the first. The
  // resources of a stack are the same for any number.
  const mostUsed = sorted.find((row) => row.group === 'endpoints' && row.id !== 'cloudFormationResources');
  return {
    load,
    jobsPerDay: load.jobsPerSecond * DAY_SECONDS,
    workers: (load.jobsPerSecond * load.jobSeconds) / load.concurrency,
    rows: sorted,
    first: { jobs: soonest('jobs'), workers: soonest('workers'), endpoints: mostUsed },
  };
}
