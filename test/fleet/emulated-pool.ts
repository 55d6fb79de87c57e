/**
 * A pool on an injected clock: its Auto Scaling group, EC2, and the managed scaling and placement of ECS. Managed
 * scaling has a target of 100 %, a metric and an alarm each minute, launches at least two instances from zero, and ends
 * empty instances after 15 minutes.
 */
import type { Placement } from '../../core/endpoints/endpoint.ts';
import type { LaunchCause } from '../../core/fleet/launch.ts';
import { pack } from '../../core/fleet/packing.ts';
import type { Instance, InstanceGroups, Launch, Launched, Refusal, Resources } from '../../core/fleet/pool.ts';
import { MINUTE, SECOND } from '../../core/limits.ts';
import type { MovedClock } from '../support/emulated-deployment.ts';

/** Minutes for which managed scaling keeps instances that it does not need. */
const KEPT = 15;
/** Time until the group launches instances that it should have. */
const GROUP_DELAY = 5 * SECOND;

interface Machine {
  readonly id: string;
  /** When the group first lists the instance. */
  readonly listedAt: number;
  readonly registersAt: number;
  status: 'PENDING' | 'ACTIVE' | 'DRAINING' | 'ENDED';
}

interface Task {
  readonly service: string;
  readonly size: Placement['worker'];
  machine?: string;
}

export interface PoolOptions {
  readonly clock: MovedClock;
  readonly group: string;
  readonly instance: Resources;
  readonly maxInstances: number;
  /** Milliseconds from a launch until the instance registers. */
  readonly bootTime: () => number;
  /** Milliseconds from a launch until the group lists the instance. */
  readonly listTime: number;
  /** @default true */
  readonly managed?: boolean;
}

/**
 * What happens during a call: it fails before it has an effect, or afterwards, so that its answer is lost, or a task is
 * created.
 */
export type Fault = 'request' | 'answer' | 'task';

export class EmulatedPool {
  readonly machines: Machine[] = [];
  tasks: Task[] = [];
  /** Events that are not delivered yet. */
  readonly events: LaunchCause[] = [];
  /** Ids of instances that ended although they had a task. */
  readonly violations: string[] = [];
  /** Why EC2 launches nothing in a subnet, by its id. */
  readonly refusals = new Map<string, Refusal>();
  /** Faults of the next calls. */
  readonly faults: (Fault | undefined)[] = [];
  /** Number of calls that launch instances. */
  launchCalls = 0;
  desired = 0;
  readonly #options: PoolOptions;
  readonly #launched = new Map<string, { readonly launch: Launch; readonly result: Launched }>();
  #lastTask: Task | undefined;
  #surplusMinutes = 0;
  #groupLaunchesAt = Number.POSITIVE_INFINITY;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get #now(): number {
    return this.#options.clock.now();
  }

  get living(): Machine[] {
    return this.machines.filter(({ status }) => status !== 'ENDED');
  }

  get waiting(): Task[] {
    return this.tasks.filter(({ machine }) => machine === undefined);
  }

  /** Sets the number of the service's tasks. New tasks wait for a place, and tasks without a place stop first. */
  demand(service: string, count: number, size: Placement['worker']): void {
    const its = this.tasks.filter((task) => task.service === service);
    const kept = [...its].sort((one, other) => Number(!one.machine) - Number(!other.machine)).slice(0, count);
    this.tasks = this.tasks.filter((task) => task.service !== service || kept.includes(task));
    for (let n = its.length; n < count; n += 1) {
      this.tasks.push({ service, size });
      this.events.push({
        of: 'task',
        service,
        worker: `${service}-${n}`,
        lastStatus: 'PROVISIONING',
        desiredStatus: 'RUNNING',
        containers: [],
        at: this.#now,
      });
    }
  }

  #onMachine = (id: string) => this.tasks.filter(({ machine }) => machine === id);

  #freeOf(id: string): Resources {
    return this.#onMachine(id).reduce(
      (room, { size }) => ({
        gpus: room.gpus - size.gpus,
        cpu: room.cpu - size.cpu,
        memory: room.memory - size.memory,
        tasks: room.tasks - 1,
      }),
      this.#options.instance,
    );
  }

  /** Lets a second pass. */
  tick(): void {
    this.#options.clock.advance(SECOND);
    for (const machine of this.machines)
      if (machine.status === 'PENDING' && machine.registersAt <= this.#now) machine.status = 'ACTIVE';
    this.#place();
    if (this.#groupLaunchesAt <= this.#now) this.#launchMissing();
    if (this.#options.managed !== false && Math.floor(this.#now / SECOND) % 60 === 0) this.#scale();
  }

  #place(): void {
    for (const task of this.waiting) {
      const { gpus, cpu, memory } = task.size;
      const fits = this.machines.filter(({ id, status }) => {
        const free = this.#freeOf(id);
        return status === 'ACTIVE' && free.gpus >= gpus && free.cpu >= cpu && free.memory >= memory && free.tasks > 0;
      });
      const [fullest] = fits.sort((one, other) => this.#freeOf(one.id).memory - this.#freeOf(other.id).memory);
      if (fullest) task.machine = fullest.id;
    }
  }

  /** Managed scaling: computes the metric of the minute. */
  #scale(): void {
    const { instance, maxInstances } = this.#options;
    const living = this.living;
    const rooms = living.map(({ id, status }) =>
      status === 'DRAINING' ? { gpus: 0, cpu: 0, memory: 0, tasks: 0 } : this.#freeOf(id),
    );
    const waiting = this.waiting.map(({ service, size }) => ({ endpoint: service, count: 1, size }));
    const { missing, used } = pack(waiting, rooms, instance);
    const needed = living.filter(({ id }, at) => this.#onMachine(id).length > 0 || used.has(at)).length + missing;
    if (needed > living.length) {
      this.desired = Math.min(maxInstances, Math.max(this.desired, living.length === 0 ? Math.max(2, needed) : needed));
      this.#groupLaunchesAt = Math.min(this.#groupLaunchesAt, this.#now + GROUP_DELAY);
    }
    this.#surplusMinutes = needed < living.length ? this.#surplusMinutes + 1 : 0;
    if (this.#surplusMinutes < KEPT) return;
    const empty = living.filter(({ id, status }) => status !== 'PENDING' && this.#onMachine(id).length === 0);
    for (const machine of empty.slice(0, living.length - needed)) machine.status = 'ENDED';
    this.desired = this.living.length;
  }

  /** The group launches the instances that it should have, in the first subnet that has any. */
  #launchMissing(): void {
    this.#groupLaunchesAt = Number.POSITIVE_INFINITY;
    const group = this.#options.group;
    while (this.living.length < this.desired) {
      const refusal = this.refusals.get('subnet-a');
      if (refusal && this.refusals.has('subnet-b')) {
        this.events.push({ of: 'launch', group, at: this.#now, reason: `${refusal.code}: ${refusal.message}` });
        this.#groupLaunchesAt = this.#now + MINUTE;
        return;
      }
      this.#start();
      this.events.push({ of: 'launched', group, at: this.#now, instance: { id: group, launchedAt: this.#now } });
    }
  }

  /** Launches an instance as the group does by itself. */
  startInstance(): void {
    this.#start();
    this.desired = Math.max(this.desired, this.living.length);
  }

  #start(): string {
    const id = `i-${this.machines.length + 1}`;
    const { bootTime, listTime } = this.#options;
    const times = { listedAt: this.#now + listTime, registersAt: this.#now + bootTime() };
    this.machines.push({ id, ...times, status: 'PENDING' });
    return id;
  }

  #launch(launch: Launch): Launched {
    const earlier = this.#launched.get(launch.token);
    if (earlier) {
      if (JSON.stringify(earlier.launch) === JSON.stringify(launch)) return earlier.result;
      throw new Error('IdempotentParameterMismatch');
    }
    const refusal = this.refusals.get(launch.subnet);
    const fits = this.living.length + launch.count <= this.#options.maxInstances;
    const ids = refusal || !fits ? [] : Array.from({ length: launch.count }, () => this.#start());
    this.desired = Math.max(this.desired, this.living.length);
    const error = fits ? {} : { error: 'ValidationError: above the maximum size' };
    const result = { ids, refusals: refusal ? [refusal] : [], ...error };
    this.#launched.set(launch.token, { launch, result });
    return result;
  }

  #end(id: string): void {
    const machine = this.machines.find((its) => its.id === id);
    if (!machine || machine.status === 'ENDED') throw new Error(`ValidationError: ${id} is not in the group`);
    if (this.#onMachine(id).length > 0) this.violations.push(id);
    machine.status = 'ENDED';
    this.desired -= 1;
  }

  #setStatus(arn: string, status: 'ACTIVE' | 'DRAINING'): void {
    const machine = this.machines.find(({ id }) => id === arn);
    if (!machine || machine.status === 'ENDED') throw new Error(`${arn} is not registered`);
    machine.status = status;
  }

  #registered(): Instance[] {
    return this.living.flatMap(({ id, status }) => {
      if (status !== 'ACTIVE' && status !== 'DRAINING') return [];
      return [{ arn: id, id, provider: 'pool', status, tasks: this.#onMachine(id).length, free: this.#freeOf(id) }];
    });
  }

  /** Makes a call that can fail. ECS can place tasks between two calls. */
  async #call<Result>(effect: () => Result): Promise<Result> {
    const fault = this.faults.shift();
    const last = this.tasks.at(-1) ?? this.#lastTask;
    if (fault === 'task' && last) this.tasks.push({ service: last.service, size: last.size });
    this.#lastTask = last;
    this.#place();
    if (fault === 'request') throw new Error('The request was lost.');
    const result = effect();
    if (fault === 'answer') throw new Error('The answer was lost.');
    return result;
  }

  /** Tests can replace its methods. */
  readonly port: { -readonly [Name in keyof InstanceGroups]: InstanceGroups[Name] } = {
    instances: () => this.#call(() => this.#registered()),
    describe: (_, arns) => this.#call(() => this.#registered().filter(({ arn }) => arns.includes(arn))),
    groupsOf: (ids) => this.#call(() => new Map(ids.map((id) => [id, this.#options.group]))),
    waiting: ({ service }) => this.#call(() => this.waiting.filter((task) => task.service === service).length),
    group: () =>
      this.#call(() => {
        const listed = this.living.filter(({ listedAt }) => listedAt <= this.#now);
        return { ids: listed.map(({ id }) => id), desired: this.desired - (this.living.length - listed.length) };
      }),
    launch: (_, { subnet, count, token }) => {
      this.launchCalls += 1;
      return this.#call(() => this.#launch({ subnet, count, token }));
    },
    drain: (_, arn) => this.#call(() => this.#setStatus(arn, 'DRAINING')),
    activate: (_, arn) => this.#call(() => this.#setStatus(arn, 'ACTIVE')),
    end: (id) => this.#call(() => this.#end(id)),
  };
}
