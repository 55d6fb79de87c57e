import type { Endpoint } from '../endpoints/endpoint.ts';
import { conditionKinds } from '../endpoints/fleet-state.ts';
import { saveFact } from '../workers/apply-facts.ts';
import { endAbandoned } from './end-abandoned.ts';
import { endEmpty } from './end-empty.ts';
import type { LaunchEvent, LaunchedEvent, TaskEvent } from './event.ts';
import { launchFact } from './fact-from-event.ts';
import { saveLaunchFailure } from './launch-failure.ts';
import { launchMissing } from './launch-missing.ts';
import { meaningOf } from './messages.ts';
import type { Waiting } from './packing.ts';
import type { Instance, LaunchPorts, Placed, Pool, Refusal } from './pool.ts';

/** What causes a call: a task that waits for a place, or the result of a launch. Without it, the minute has passed. */
export type LaunchCause = TaskEvent | LaunchEvent | LaunchedEvent;

/** The effects of a call. */
export interface LaunchEffects {
  /** Ids of launched instances. */
  readonly launched: readonly string[];
  /** Ids of instances that end because they had no tasks. */
  readonly ended: readonly string[];
  /** Ids of the endpoints whose workers have no place, and the reason from EC2 or Auto Scaling. */
  readonly refused: readonly string[];
  /**
   * Errors by group, or by cluster if the instances of unused pools could not be read or ended. ECS launches and ends
   * these instances, as it does without this function.
   */
  readonly failed: Readonly<Record<string, unknown>>;
}

/**
 * Launches instances for tasks that wait for a place, and ends instances without tasks. ECS does both as well, but
 * later: it launches at least two instances for the first task, and keeps an empty instance for 15 minutes.
 *
 * Input: the event that caused the call; none each minute. Output: the effects. Calls can overlap, and can end after
 * any step. A pool that fails does not stop the other pools.
 *  1. Read the endpoints on pools, their waiting tasks, and the instances of the cluster.
 *  2. Launch what is missing beside the instances that run or start. If EC2 refuses, store the reason at once.
 *  3. If Auto Scaling could not launch an instance, store the reason for endpoints that no other instance has room for.
 *     If instances for all waiting tasks start, clear such a reason.
 *  4. Each minute, end instances that have had no task for the pool's `emptyFor`, and instances without tasks of pools
 *     that no endpoint uses.
 */
export async function launch(ports: LaunchPorts, event?: LaunchCause): Promise<LaunchEffects> {
  const onGroups = (await ports.endpoints.list()).filter(({ instanceGroup }) => instanceGroup !== undefined);
  const concerned = onGroups.filter((endpoint) => concerns(endpoint, event));
  const groups = new Set(concerned.map(({ instanceGroup }) => instanceGroup));
  const endpoints = onGroups.filter(({ instanceGroup }) => groups.has(instanceGroup));
  const others = endpoints.filter(({ placement }) => placement === undefined);
  const refused = event?.of === 'launch' ? await saveLaunchFailure(ports, others, event) : [];
  const effects: LaunchEffects[] = [{ launched: [], ended: [], refused, failed: {} }];
  const instances = readOnce((cluster) => ports.groups.instances(cluster));
  const pools = poolsOf(endpoints);
  for (const pool of pools) {
    try {
      const its = (await instances(pool.cluster)).filter(({ provider }) => provider === pool.provider);
      effects.push(await supply(ports, pool, its, event));
    } catch (error) {
      effects.push({ launched: [], ended: [], refused: [], failed: { [pool.group]: error } });
    }
  }
  if (event === undefined) effects.push(await abandon(ports, pools, endpoints, instances));
  return {
    launched: effects.flatMap(({ launched }) => launched),
    ended: effects.flatMap(({ ended }) => ended),
    refused: effects.flatMap((its) => its.refused),
    failed: Object.assign({}, ...effects.map(({ failed }) => failed)),
  };
}

function concerns({ service, instanceGroup }: Endpoint, event: LaunchCause | undefined): boolean {
  if (event === undefined) return true;
  return event.of === 'task' ? service === event.service : instanceGroup === event.group;
}

function poolsOf(endpoints: readonly Endpoint[]): Pool[] {
  const placed = endpoints.filter((endpoint): endpoint is Placed => endpoint.placement !== undefined);
  return [...Map.groupBy(placed, ({ instanceGroup = '' }) => instanceGroup)].flatMap(([group, its]) => {
    const [first] = its;
    if (!first) return [];
    const { worker: _, ...common } = first.placement;
    return [{ ...common, group, cluster: first.cluster, endpoints: its }];
  });
}

/** Ends instances of pools that no endpoint uses. */
async function abandon(
  ports: LaunchPorts,
  pools: readonly Pool[],
  endpoints: readonly Endpoint[],
  instances: (cluster: string) => Promise<readonly Instance[]>,
): Promise<LaunchEffects> {
  const none = { launched: [], ended: [], refused: [] };
  try {
    const known = new Set(pools.map(({ provider }) => provider));
    const others = (await instances(ports.cluster)).filter(({ provider }) => !known.has(provider));
    return { ...none, ...(await endAbandoned(ports, endpoints, others)) };
  } catch (error) {
    return { ...none, failed: { [ports.cluster]: error } };
  }
}

/** Returns a function that reads each key once. */
function readOnce<Value>(read: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const values = new Map<string, Promise<Value>>();
  return (key) => {
    const value = values.get(key) ?? read(key);
    values.set(key, value);
    return value;
  };
}

async function supply(
  ports: LaunchPorts,
  pool: Pool,
  instances: readonly Instance[],
  event: LaunchCause | undefined,
): Promise<LaunchEffects> {
  const waiting = await waitingOn(ports, pool);
  const supplied = await launchMissing(ports, pool, instances, waiting);
  const { state, launched, needed, unplaced, refusals, error } = supplied;
  const reason = event?.of === 'launch' ? event : reasonOf(refusals, ports.clock.now());
  const refused = reason ? unplaced : [];
  try {
    for (const id of refused) await saveFact(ports, id, launchFact(reason ?? { at: 0, reason: '' }));
    await clearReasons(ports, pool, waiting, unplaced);
    const ended = event === undefined ? await endEmpty(ports, pool, state, instances, needed) : [];
    return { launched, ended, refused, failed: error === undefined ? {} : { [pool.group]: error } };
  } catch (later) {
    // The instances are launched, so the result must name them.
    return { launched, ended: [], refused, failed: { [pool.group]: error ?? later } };
  }
}

/** Returns the tasks of the pool that wait for a place. Endpoints that request no worker have none. */
async function waitingOn({ groups }: LaunchPorts, { endpoints }: Pool): Promise<Waiting[]> {
  const waiting: Waiting[] = [];
  for (const endpoint of endpoints) {
    if ((endpoint.desiredWorkers ?? endpoint.minWorkers) === 0) continue;
    const count = await groups.waiting(endpoint);
    if (count > 0) waiting.push({ endpoint: endpoint.id, count, size: endpoint.placement.worker });
  }
  return waiting;
}

/** Returns the reason to show. A quota applies in every zone, so it takes precedence over missing capacity. */
function reasonOf(refusals: readonly Refusal[], at: number): Pick<LaunchEvent, 'at' | 'reason'> | undefined {
  const reasons = refusals.map(({ code, message }) => `${code}: ${message}`);
  const reason = reasons.find((text) => meaningOf(text, 'CANNOT_START') === 'QUOTA') ?? reasons.at(-1);
  return reason === undefined ? undefined : { at, reason };
}

/** Clears reasons why no instance starts, for endpoints whose waiting tasks all have an instance. */
async function clearReasons(
  ports: LaunchPorts,
  { endpoints }: Pool,
  waiting: readonly Waiting[],
  unplaced: readonly string[],
): Promise<void> {
  for (const { id, fleet } of endpoints) {
    const isSupplied = waiting.some(({ endpoint }) => endpoint === id) && !unplaced.includes(id);
    const is = fleet.condition?.is;
    if (!isSupplied || is === undefined || is === 'STARTING' || conditionKinds[is].until !== 'placed') continue;
    await saveFact(ports, id, { is: 'instancesLaunched', at: ports.clock.now() });
  }
}
