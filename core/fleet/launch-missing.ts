import { meaningOf } from './messages.ts';
import { pack, type Waiting } from './packing.ts';
import {
  type Instance,
  LAUNCH_LASTS,
  type LaunchPorts,
  LISTED_AFTER,
  MOST_LAUNCHED,
  type Pool,
  type PoolState,
  REFUSAL_PAUSE,
  type Refusal,
  type Room,
} from './pool.ts';

export interface Supply {
  readonly state: PoolState;
  /** Ids of the launched instances. */
  readonly launched: readonly string[];
  /** Ids of the instances that waiting tasks need. */
  readonly needed: ReadonlySet<string>;
  /** Ids of the endpoints with a waiting task for which no instance runs or starts. */
  readonly unplaced: readonly string[];
  /** Why EC2 launched fewer instances than requested. */
  readonly refusals: readonly Refusal[];
  /** Why Auto Scaling refused a call, if it did. */
  readonly error: string | undefined;
}

/** An instance that gets no new tasks has no room. It keeps its position among the rooms. */
const NO_ROOM: Room = { gpus: 0, cpu: 0, memory: 0, tasks: 0 };

/**
 * Launches the instances that are missing beside those that run or start, in one subnet after the other.
 *
 * Input: the pool, its registered instances, and its tasks that wait for a place. Output: which of them have a place.
 *  1. Find the instances that start: the group lists them, or launched them in the last minute.
 *  2. Repeat a launch whose result is unknown, with its token, so that it launches nothing twice.
 *  3. Distribute the tasks over the instances that run or start, and over the missing ones.
 *  4. Store the token of a launch before the launch. If another call has stored something since, stop.
 *  5. Store the result. After a refusal, try the next subnet, unless a quota refuses all of them.
 */
export async function launchMissing(
  ports: LaunchPorts,
  pool: Pool,
  instances: readonly Instance[],
  waiting: readonly Waiting[],
): Promise<Supply> {
  const run = new Run(ports, pool, instances, await ports.poolStates.read(pool.group));
  let isKnown = false;
  if (waiting.length > 0) {
    await run.find();
    isKnown = await run.repeat();
  }
  const rooms = run.rooms();
  const { missing, used, last } = pack(waiting, rooms, pool.instance);
  const before = run.launched.length;
  if (isKnown) await run.launch(missing);
  const { state, launched, refusals, error } = run;
  const started = rooms.length + launched.length - before;
  // The first rooms are those of the instances, in their order.
  const needed = new Set(instances.flatMap(({ id, status }, at) => (status === 'ACTIVE' && used.has(at) ? [id] : [])));
  const unplaced = [...last].filter(([, at]) => at >= started).map(([endpoint]) => endpoint);
  return { state, launched, needed, unplaced, refusals, error };
}

class Run {
  state: PoolState;
  readonly launched: string[] = [];
  readonly refusals: Refusal[] = [];
  error: string | undefined;
  readonly #ports: LaunchPorts;
  readonly #pool: Pool;
  readonly #instances: readonly Instance[];
  /** Number of instances that the group should have beside those that it lists: Auto Scaling launches them. */
  #missingInGroup = 0;
  /** Ids of all instances of the group. */
  #all: ReadonlySet<string> = new Set();

  constructor(ports: LaunchPorts, pool: Pool, instances: readonly Instance[], state: PoolState) {
    this.#ports = ports;
    this.#pool = pool;
    this.#instances = instances;
    this.state = state;
  }

  get #now(): number {
    return this.#ports.clock.now();
  }

  rooms(): Room[] {
    const { instance } = this.#pool;
    const ofInstances = this.#instances.map(({ status, free, tasks }) =>
      status === 'ACTIVE' ? { ...free, tasks: instance.tasks - tasks } : NO_ROOM,
    );
    const starting = Object.values(this.state.starting).filter((at) => this.#now - at < LAUNCH_LASTS);
    return [...ofInstances, ...starting.map(() => instance)];
  }

  /** Finds the instances that start. */
  async find(): Promise<void> {
    const { ids, desired } = await this.#ports.groups.group(this.#pool.group);
    const registered = new Set(this.#instances.map(({ id }) => id));
    const known = Object.entries(this.state.starting);
    const unlisted = known.filter(([id, at]) => !ids.includes(id) && this.#now - at < LISTED_AFTER);
    const listed = ids.map((id) => [id, this.state.starting[id] ?? this.#now] as const);
    const starting = [...listed, ...unlisted].filter(([id]) => !registered.has(id));
    this.state = { ...this.state, starting: Object.fromEntries(starting) };
    this.#all = new Set([...ids, ...registered, ...Object.keys(this.state.starting)]);
    this.#missingInGroup = Math.max(0, desired - ids.length);
  }

  /** Stores the state. @returns false if another call has stored something since it was read */
  async #save(changes: Partial<PoolState>): Promise<boolean> {
    const state = { ...this.state, ...changes };
    if (!(await this.#ports.poolStates.save(this.#pool.group, state))) return false;
    this.state = { ...state, version: state.version + 1 };
    return true;
  }

  /** Repeats the launch whose result is unknown. @returns whether all results are known */
  async repeat(): Promise<boolean> {
    const { launch } = this.state;
    if (!launch) return true;
    // Auto Scaling does not remember tokens forever. Instances of an older launch are listed by the group.
    if (this.#now - launch.at >= LAUNCH_LASTS) return this.#save({ launch: undefined });
    return this.#call(launch);
  }

  /** Launches the missing instances, except those that the group launches. */
  async launch(missing: number): Promise<void> {
    const { subnets, newToken } = this.#ports;
    const first = this.state.version;
    const wanted = this.launched.length + missing - this.#missingInGroup;
    for (let n = 0; n < subnets.length; n += 1) {
      if (this.#now < (this.state.refusedUntil ?? 0) && this.refusals.length === 0) return;
      const most = Math.min(MOST_LAUNCHED, this.#pool.maxInstances - this.#all.size - this.#missingInGroup);
      const count = Math.min(wanted - this.launched.length, most);
      const subnet = subnets[(first + n) % subnets.length];
      if (count <= 0 || subnet === undefined) return;
      const launch = { subnet, count, token: newToken(), at: this.#now };
      if (!(await this.#save({ launch })) || !(await this.#call(launch))) return;
      if (this.refusals.some(({ code, message }) => meaningOf(`${code}: ${message}`, 'CANNOT_START') === 'QUOTA'))
        return;
    }
  }

  /** Calls Auto Scaling, and stores the result. @returns whether the next subnet can be tried */
  async #call(launch: NonNullable<PoolState['launch']>): Promise<boolean> {
    const { ids, refusals, error } = await this.#ports.groups.launch(this.#pool.group, launch);
    this.error = error;
    this.launched.push(...ids);
    this.refusals.push(...refusals);
    this.#all = new Set([...this.#all, ...ids]);
    const registered = new Set(this.#instances.map(({ id }) => id));
    const fresh = ids.filter((id) => !registered.has(id)).map((id) => [id, launch.at]);
    const failed = refusals.length > 0 || error !== undefined;
    const saved = await this.#save({
      launch: undefined,
      starting: { ...this.state.starting, ...Object.fromEntries(fresh) },
      refusedUntil: failed ? this.#now + REFUSAL_PAUSE : undefined,
    });
    return saved && error === undefined;
  }
}
