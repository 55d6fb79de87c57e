/**
 * Launches the instances of a pool that its waiting tasks need.
 *
 * A task waits until an instance has enough free resources. `pack` distributes the waiting tasks over a list of
 * instances: first the registered instances, then the instances that start, which are empty. `pack` appends the
 * instances that are missing, and identifies each instance by its index in the list. `Launcher` launches the missing
 * ones and makes sure that no instance is launched twice.
 */
import { Launcher } from './launcher.ts';
import { pack, type Waiting } from './packing.ts';
import type { Instance, LaunchPorts, Pool, PoolState, Refusal, Resources } from './pool.ts';

/** The result of `launchMissing`. */
export interface Supply {
  readonly state: PoolState;
  /** Ids of the launched instances. */
  readonly launched: readonly string[];
  /** Ids of the registered instances that waiting tasks need. */
  readonly needed: ReadonlySet<string>;
  /**
   * Ids of the endpoints with a waiting task for which no instance runs or starts. An instance that Auto Scaling is about
   * to launch itself does not count.
   */
  readonly unplaced: readonly string[];
  /** Why EC2 launched fewer instances than requested. */
  readonly refusals: readonly Refusal[];
  /** Why Auto Scaling refused the last call, if it did. */
  readonly error: string | undefined;
}

/**
 * Launches the instances that are missing in addition to those that run or start.
 *
 * Input: the pool, its registered instances, and its tasks that wait for an instance. Output: what was launched, and
 * the endpoints whose tasks still have no instance.
 *  1. If tasks wait, find the instances that start, and repeat a launch whose result is unknown.
 *  2. Distribute the tasks over the instances that run or start, and count the missing ones.
 *  3. Launch the missing instances, unless the result of an earlier launch is still unknown, or Auto Scaling
 *     has just refused to repeat it.
 */
export async function launchMissing(
  ports: LaunchPorts,
  pool: Pool,
  instances: readonly Instance[],
  waiting: readonly Waiting[],
): Promise<Supply> {
  const launcher = new Launcher(ports, pool, instances, await ports.poolStates.read(pool.group));
  const canLaunch = waiting.length > 0 && (await prepare(launcher));

  const registered = instances.map((instance) => freeResourcesOf(instance, pool));
  const starting = Array.from({ length: launcher.countStarting() }, () => pool.instance);
  const { missing, used, highestIndex } = pack(waiting, [...registered, ...starting], pool.instance);

  // Once the result of a repeated launch is stored, its instances are among the starting ones. Only later launches count.
  const launchedBefore = launcher.launched.length;
  if (canLaunch) await launcher.launch(missing);
  const { state, launched, refusals, error } = launcher;

  // The launched instances are the first of the missing ones, whose indexes follow those of the starting instances.
  const suppliedCount = registered.length + starting.length + launched.length - launchedBefore;
  const unplaced = [...highestIndex].filter(([, index]) => index >= suppliedCount).map(([endpoint]) => endpoint);
  const needed = instances.filter(({ status }, index) => status === 'ACTIVE' && used.has(index));
  return { state, launched, needed: new Set(needed.map(({ id }) => id)), unplaced, refusals, error };
}

/**
 * Finds the instances that are starting, and learns the result of a launch whose response was lost.
 * @returns whether another launch may follow
 */
async function prepare(launcher: Launcher): Promise<boolean> {
  await launcher.findStarting();
  return launcher.resolveUnknownLaunch();
}

/** Returns the free resources of a registered instance. ECS places no new tasks on an instance that is not active. */
function freeResourcesOf({ status, free, tasks }: Instance, { instance: empty }: Pool): Resources {
  if (status !== 'ACTIVE') return { gpus: 0, cpu: 0, memory: 0, tasks: 0 };
  return { ...free, tasks: empty.tasks - tasks };
}
