/**
 * Launches the instances of a pool that its waiting tasks need.
 *
 * A task waits until an instance has room for it. `pack` distributes the waiting tasks over a list of rooms: first the
 * free resources of the registered instances, in their order, then one whole instance for each that starts. `pack`
 * appends a room to this list for each instance that is missing. `Launcher` launches these and makes sure that no
 * instance is launched twice. The positions in this list connect both parts: a task has a place if its position belongs
 * to an instance that runs, starts, or was just launched.
 */
import { Launcher } from './launcher.ts';
import { pack, type Waiting } from './packing.ts';
import type { Instance, LaunchPorts, Pool, PoolState, Refusal, Room } from './pool.ts';

/** The result of `launchMissing`. */
export interface Supply {
  readonly state: PoolState;
  /** Ids of the launched instances. */
  readonly launched: readonly string[];
  /** Ids of the registered instances that waiting tasks need. */
  readonly needed: ReadonlySet<string>;
  /** Ids of the endpoints with a waiting task for which no instance runs or starts. */
  readonly unplaced: readonly string[];
  /** Why EC2 launched fewer instances than requested. */
  readonly refusals: readonly Refusal[];
  /** Why Auto Scaling refused a call, if it did. */
  readonly error: string | undefined;
}

/**
 * Launches the instances that are missing beside those that run or start.
 *
 * Input: the pool, its registered instances, and its tasks that wait for a place. Output: what was launched, and which
 * tasks have a place.
 *  1. If tasks wait, find the instances that start, and repeat a launch whose result is unknown.
 *  2. Distribute the tasks over the instances that run or start, and count the missing ones.
 *  3. Launch the missing instances, unless the result of an earlier launch is still unknown.
 */
export async function launchMissing(
  ports: LaunchPorts,
  pool: Pool,
  instances: readonly Instance[],
  waiting: readonly Waiting[],
): Promise<Supply> {
  const launcher = new Launcher(ports, pool, instances, await ports.poolStates.read(pool.group));
  const canLaunch = waiting.length > 0 && (await prepare(launcher));

  const rooms = [...instances.map((instance) => roomOn(instance, pool)), ...startingRooms(launcher, pool)];
  const { missing, used, last } = pack(waiting, rooms, pool.instance);

  const launchedBefore = launcher.launched.length;
  if (canLaunch) await launcher.launch(missing);
  const { state, launched, refusals, error } = launcher;

  // The launched instances take the first positions after the rooms.
  const placesEnd = rooms.length + launched.length - launchedBefore;
  const unplaced = [...last].filter(([, position]) => position >= placesEnd).map(([endpoint]) => endpoint);
  const needed = instances.filter(({ status }, position) => status === 'ACTIVE' && used.has(position));
  return { state, launched, needed: new Set(needed.map(({ id }) => id)), unplaced, refusals, error };
}

/** @returns whether another launch is safe */
async function prepare(launcher: Launcher): Promise<boolean> {
  await launcher.findStarting();
  return launcher.resolveUnknownLaunch();
}

/** Returns the free resources of a registered instance. ECS places no new tasks on an instance that is not active. */
function roomOn({ status, free, tasks }: Instance, { instance: whole }: Pool): Room {
  if (status !== 'ACTIVE') return { gpus: 0, cpu: 0, memory: 0, tasks: 0 };
  return { ...free, tasks: whole.tasks - tasks };
}

const startingRooms = (launcher: Launcher, { instance: whole }: Pool): Room[] =>
  Array.from({ length: launcher.countStarting() }, () => whole);
