/** An ECS service on this machine: keeps the desired number of tasks running. */
import { type Clock, systemClock } from './clock.ts';
import type { ServiceDefinition } from './definitions.ts';
import { deploymentId, serviceArn } from './names.ts';
import { createProtections, type ProtectionFailure } from './protection.ts';
import { rules } from './rules.ts';
import type { Task } from './task.ts';
import type { StopCause } from './task-state.ts';

export interface Service {
  readonly definition: ServiceDefinition;
  readonly startedAt: Date;
  /** Resolves when every first task has started, or has failed to. */
  readonly settled: Promise<void>;
  desiredCount(): number;
  /** Starts or stops tasks at once; those that are protected stop when their protection ends. */
  update(change: { readonly desiredCount: number }): void;
  /** The tasks that it has, and those that stopped within the last hour; the oldest first. */
  tasks(): readonly Task[];
  /** When the task's protection ends, if it has any; milliseconds since 1970. */
  protectedUntil(task: Task): number | undefined;
  /**
   * Protects one of its tasks from scale-in, or ends that.
   * @param minutes how long; undefined ends it
   * @returns why that cannot be
   */
  protect(task: Task, minutes: number | undefined): ProtectionFailure | undefined;
  /** Stops one of its tasks; another takes its place. */
  stopTask(task: Task, reason?: string): void;
  /** One of its tasks is lost with its machine; another takes its place at once. */
  lose(task: Task): void;
  /** @param limit milliseconds until the last task has ended */
  stop(limit: number): Promise<void>;
}

export interface ServiceOptions {
  readonly definition: ServiceDefinition;
  /** To begin with. */
  readonly desiredCount: number;
  startTask(): Task;
  /** Whether there is a place for another task, which it tells ECS's listeners if not. Without it there always is. */
  hasPlace?(): boolean;
  /** Tells the user something; the same sentence comes once. */
  note(text: string): void;
  /** Keeps a new count beyond this run. */
  remember(desiredCount: number): void;
  readonly clock?: Clock;
}

/** A task that lived shorter than this failed to start, and what replaces it waits. */
const SHORT_LIFE = 10_000;
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/** Those that do not run yet first, then the newest. */
const inScaleInOrder = (oldestFirst: readonly Task[]) => {
  const runs = (task: Task) => Number(task.state().lastStatus === 'RUNNING');
  return oldestFirst.toReversed().toSorted((one, other) => runs(one) - runs(other));
};

export function startService(options: ServiceOptions): Service {
  const { definition, startTask, hasPlace = () => true, note, remember, clock = systemClock } = options;
  const { name, cluster, serviceName } = definition;
  const { value: scaledIn } = rules.scaledIn;
  const scaleIn: StopCause = {
    ...scaledIn,
    stoppedReason: `${scaledIn.stoppedReason} (deployment ${deploymentId(serviceArn(cluster, serviceName))})`,
  };
  const told = new Set<string>();
  /** The oldest first. */
  let tasks: Task[] = [];
  /** Tasks that count as the service's. */
  const live = new Set<Task>();
  let desired = options.desiredCount;
  let stopping = false;
  let wait = FIRST_PAUSE;
  /** There while starts have to wait. */
  let pause: AbortController | undefined;

  const protections = createProtections({ clock, most: () => desired, expired: reconcile });

  const tell = (text: string) => {
    if (!told.has(text)) note(text);
    told.add(text);
  };

  function forgetOld(): void {
    const oldest = clock.now() - rules.stoppedAreListed.value.milliseconds;
    tasks = tasks.filter((task) => (task.state().stoppedAt?.getTime() ?? clock.now()) > oldest);
  }

  function launch(): void {
    const startedAt = clock.now();
    const task = startTask();
    forgetOld();
    tasks.push(task);
    live.add(task);
    void task.ended.then((reason) => {
      protections.end(task);
      // It was stopped on purpose, and has been replaced if it had to be.
      if (!live.delete(task) || stopping) return;
      const next = live.size < desired ? ' The service starts another.' : '';
      tell(`A task of ${name} ended: ${reason}.${next}`);
      if (clock.now() - startedAt < SHORT_LIFE) delayStarts();
      else wait = FIRST_PAUSE;
      reconcile();
    });
  }

  function delayStarts(): void {
    if (pause) return;
    const mine = new AbortController();
    pause = mine;
    void clock.sleep(wait, mine.signal).then(() => {
      if (mine.signal.aborted) return;
      pause = undefined;
      reconcile();
    });
    wait = Math.min(2 * wait, LONGEST_PAUSE);
  }

  function endPause(): void {
    pause?.abort();
    pause = undefined;
  }

  function dismiss(task: Task, cause: StopCause): void {
    live.delete(task);
    protections.end(task);
    void task.stop(cause);
  }

  function reconcile(): void {
    if (stopping) return;
    const stoppable = inScaleInOrder([...live]).filter((task) => protections.until(task) === undefined);
    for (const task of stoppable.slice(0, Math.max(live.size - desired, 0))) dismiss(task, scaleIn);
    while (!pause && live.size < desired) {
      if (hasPlace()) launch();
      else delayStarts();
    }
  }

  reconcile();
  return {
    definition,
    startedAt: new Date(clock.now()),
    settled: Promise.all(tasks.map(({ ready }) => ready)).then(() => undefined),
    desiredCount: () => desired,
    update({ desiredCount }) {
      if (desiredCount > desired) endPause();
      if (desiredCount !== desired) remember(desiredCount);
      desired = desiredCount;
      reconcile();
    },
    tasks() {
      forgetOld();
      return tasks;
    },
    protectedUntil: protections.until,
    protect(task, minutes) {
      if (minutes !== undefined) return protections.protect(task, minutes);
      protections.end(task);
      reconcile();
      return undefined;
    },
    stopTask(task, reason = rules.stoppedByUser.value.stoppedReason) {
      dismiss(task, { ...rules.stoppedByUser.value, stoppedReason: reason });
      reconcile();
    },
    lose(task) {
      live.delete(task);
      protections.end(task);
      task.crash();
      reconcile();
    },
    async stop(limit) {
      stopping = true;
      endPause();
      protections.endAll();
      await Promise.all(tasks.map((task) => task.stop(rules.stoppedByUser.value, limit)));
    },
  };
}
