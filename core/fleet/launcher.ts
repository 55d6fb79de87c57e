/**
 * Launches instances of one Auto Scaling group, and none of them twice, even if runs of the fleet function overlap or end
 * after any step.
 *
 * A launch can succeed although its response is lost, and a launched instance appears in the group's list only later. The
 * pool's stored state therefore contains two things: the launch whose result is unknown, with its token, and the
 * instances that start. A launch is stored before it is requested, and its result is stored before the next launch. A run
 * that finds a stored launch repeats it with the same token, which launches nothing new. Each write requires the version
 * that was read, so the first of two overlapping runs continues and the other one stops.
 */
import { MINUTE, SECOND } from '../limits.ts';
import { meaningOf } from './messages.ts';
import type { Instance, LaunchPorts, Pool, PoolState, Refusal } from './pool.ts';

/** Time in which a launched instance usually registers. After that, tasks no longer count on it. */
const MAX_START_TIME = 5 * MINUTE;

/** Time in which the group lists an instance that it has launched. After that, the instance has failed to start. */
const MAX_LISTING_DELAY = MINUTE;

/** Pause after a launch that EC2 refused. It is shorter than the minute between two runs. */
const REFUSAL_PAUSE = 50 * SECOND;

/** Maximum number of instances in one launch. */
const MAX_PER_LAUNCH = 100;

type StoredLaunch = NonNullable<PoolState['launch']>;

const isQuota = ({ code, message }: Refusal) => meaningOf(`${code}: ${message}`, 'CANNOT_START') === 'QUOTA';

/** The launches of one pool during one run of the fleet function. */
export class Launcher {
  /** Ids of the instances that this run has launched. */
  readonly launched: string[] = [];
  /** Why EC2 launched fewer instances than this run requested. */
  readonly refusals: Refusal[] = [];
  /** Why Auto Scaling refused the last launch itself, if it did. */
  error: string | undefined;
  readonly #ports: LaunchPorts;
  readonly #pool: Pool;
  readonly #registered: ReadonlySet<string>;
  #state: PoolState;
  /** Ids of all instances of the group, which `maxInstances` limits. */
  #instanceIds: ReadonlySet<string> = new Set();
  /** Number of instances that Auto Scaling is about to launch itself, because the group's desired capacity exceeds its list. */
  #launchedByGroup = 0;

  /**
   * Begins without launches.
   * @param registered the pool's instances that have registered in the cluster
   * @param state the pool's stored state
   */
  constructor(ports: LaunchPorts, pool: Pool, registered: readonly Instance[], state: PoolState) {
    this.#ports = ports;
    this.#pool = pool;
    this.#registered = new Set(registered.map(({ id }) => id));
    this.#state = state;
  }

  /** The pool's state as last read or stored. */
  get state(): PoolState {
    return this.#state;
  }

  get #now(): number {
    return this.#ports.clock.now();
  }

  /** Returns the number of instances that start and are expected to register. */
  countStarting(): number {
    return Object.values(this.#state.starting).filter((since) => this.#now - since < MAX_START_TIME).length;
  }

  /**
   * Finds the instances that start: those that the group lists, and those that were launched too recently to be
   * listed. Does not store them; the next launch does.
   */
  async findStarting(): Promise<void> {
    const { ids: listed, desired } = await this.#ports.groups.group(this.#pool.group);
    const { starting: known } = this.#state;
    const unlisted = Object.keys(known).filter((id) => !listed.includes(id) && this.#isRecent(known[id]));
    const starting = [...listed, ...unlisted].filter((id) => !this.#registered.has(id));
    const since = starting.map((id) => [id, known[id] ?? this.#now] as const);
    this.#state = { ...this.#state, starting: Object.fromEntries(since) };
    this.#instanceIds = new Set([...listed, ...this.#registered, ...starting]);
    this.#launchedByGroup = Math.max(0, desired - listed.length);
  }

  /**
   * Repeats an earlier launch whose result is unknown. Must be called before `launch`.
   * @returns whether another launch may follow: no launch is unknown any more, and Auto Scaling has not refused this one
   */
  async resolveUnknownLaunch(): Promise<boolean> {
    const { launch } = this.#state;
    if (!launch) return true;
    // Auto Scaling does not remember tokens forever. By now, the group lists the instances of this launch, if there are any.
    if (this.#now - launch.at >= MAX_START_TIME) return this.#save({ launch: undefined });
    return this.#request(launch);
  }

  /**
   * Launches the missing instances, except those that Auto Scaling launches itself and those above `maxInstances`.
   * Tries one subnet after the other until all are launched. A quota ends the attempts, because it applies in every
   * subnet.
   */
  async launch(missing: number): Promise<void> {
    if (this.#isPaused()) return;
    const { subnets, newToken } = this.#ports;
    const launchedBefore = this.launched.length;
    const needed = missing - this.#launchedByGroup;
    // The version differs from run to run, so launches do not always begin with the same subnet.
    const first = this.#state.version;
    for (let n = 0; n < subnets.length; n += 1) {
      const subnet = subnets[(first + n) % subnets.length];
      const remaining = needed - (this.launched.length - launchedBefore);
      const count = Math.min(remaining, this.#maxCount());
      if (count <= 0 || subnet === undefined) return;
      const launch = { subnet, count, token: newToken(), at: this.#now };
      if (!(await this.#save({ launch })) || !(await this.#request(launch))) return;
      if (this.refusals.some(isQuota)) return;
    }
  }

  /** Returns whether EC2 refused a launch of an earlier run a short time ago. A refusal in this run causes no pause. */
  #isPaused(): boolean {
    return this.refusals.length === 0 && this.#now < (this.#state.refusedUntil ?? 0);
  }

  #isRecent(since = 0): boolean {
    return this.#now - since < MAX_LISTING_DELAY;
  }

  #maxCount(): number {
    return Math.min(MAX_PER_LAUNCH, this.#pool.maxInstances - this.#instanceIds.size - this.#launchedByGroup);
  }

  /**
   * Requests a stored launch from Auto Scaling, and stores its result.
   * @returns whether the result is stored, and Auto Scaling has accepted the request
   */
  async #request(launch: StoredLaunch): Promise<boolean> {
    const { ids, refusals, error } = await this.#ports.groups.launch(this.#pool.group, launch);
    this.error = error;
    this.launched.push(...ids);
    this.refusals.push(...refusals);
    this.#instanceIds = new Set([...this.#instanceIds, ...ids]);
    const starting = ids.filter((id) => !this.#registered.has(id)).map((id) => [id, launch.at] as const);
    const failed = refusals.length > 0 || error !== undefined;
    const isStored = await this.#save({
      launch: undefined,
      starting: { ...this.#state.starting, ...Object.fromEntries(starting) },
      refusedUntil: failed ? this.#now + REFUSAL_PAUSE : undefined,
    });
    return isStored && error === undefined;
  }

  /**
   * Stores changes of the state.
   * @returns false if another run has stored something since the state was read
   */
  async #save(changes: Partial<PoolState>): Promise<boolean> {
    const state = { ...this.#state, ...changes };
    if (!(await this.#ports.poolStates.save(this.#pool.group, state))) return false;
    this.#state = { ...state, version: state.version + 1 };
    return true;
  }
}
