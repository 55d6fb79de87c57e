/** An ECS service on this machine, which keeps the desired number of tasks of its revision running. */
import { type Clock, systemClock } from './clock.ts';
import type { ServiceDefinition, TaskDefinition } from './definitions.ts';
import { type Deployment, untilHealthy } from './deployment.ts';
import { createDeployments, type KeptDeployments } from './deployments.ts';
import { hasFailed, inScaleInOrder, type Member } from './member.ts';
import { createProtections, type ProtectionFailure } from './protection.ts';
import { rolloutStep } from './rollout.ts';
import { rules } from './rules.ts';
import { createStartPause } from './start-pause.ts';
import type { Attachment, Task } from './task.ts';
import type { EcsEvent, StopCause } from './task-state.ts';

export interface Service {
  readonly definition: ServiceDefinition;
  readonly startedAt: Date;
  /** Resolves when each of the first tasks has started, with healthy targets if it has any, or has failed. */
  readonly settled: Promise<void>;
  desiredCount(): number;
  /** Returns the primary deployment, followed by the others that have tasks or can get them again. */
  deployments(): readonly Deployment[];
  update(change: ServiceChange): void;
  /**
   * Starts a task whose user container is a command in a terminal. Until the task is stopped, the service runs no
   * other tasks, whatever its desired count, and does not stop this task.
   */
  attach(attachment: Attachment): Task;
  /** Returns the current tasks and those that stopped within the last hour, the oldest first. */
  tasks(): readonly Task[];
  /**
   * Returns when the task's protection expires, in milliseconds since 1970; undefined if the task is not protected.
   */
  protectedUntil(task: Task): number | undefined;
  /**
   * Protects a task from scale-in, or removes its protection.
   * @param minutes length of the protection; undefined removes it
   * @returns the reason for a refusal; undefined if the change is accepted
   */
  protect(task: Task, minutes: number | undefined): ProtectionFailure | undefined;
  /** Stops a task of the service; another task replaces it. */
  stopTask(task: Task, reason?: string): void;
  /** Reclaims the spot capacity of a task; another task replaces it. */
  interrupt(task: Task): void;
  /** Simulates the loss of a task's machine; another task replaces it immediately. */
  lose(task: Task): void;
  /**
   * Stops the service.
   * @param limit milliseconds until the last task has stopped
   */
  stop(limit: number): Promise<void>;
}

export interface ServiceChange {
  /**
   * Desired number of tasks. Tasks start or stop immediately; protected tasks stop when their protection expires.
   */
  readonly desiredCount?: number;
  /** Revision of the tasks. A changed revision begins a deployment. */
  readonly taskDefinition?: TaskDefinition;
  /** Begins a deployment even if nothing has changed. */
  readonly forceNewDeployment?: boolean;
}

export interface ServiceOptions {
  readonly definition: ServiceDefinition;
  /** Desired count at the start. */
  readonly desiredCount: number;
  /** The deployments of the previous run. */
  readonly before?: KeptDeployments;
  /**
   * Starts a task.
   * @param changed is called with every change of the task's state
   * @param attachment replaces the image of the user's container, if given
   */
  startTask(deployment: Deployment, changed: () => void, attachment?: Attachment): Task;
  /**
   * Returns whether there is capacity for another task; publishes an event if not.
   * @default - always
   */
  hasPlace?(): boolean;
  /** Prints a message for the user. */
  notify(text: string): void;
  publish(event: EcsEvent): void;
  /** Stores a change that outlives this run. */
  remember(change: { readonly desiredCount?: number; readonly deployments?: KeptDeployments }): void;
  readonly clock?: Clock;
}

/** Milliseconds. A task that stops earlier has failed to start, and its replacement waits. */
const SHORT_LIFE = 10_000;

export function startService(options: ServiceOptions): Service {
  const { definition, startTask, hasPlace = () => true, notify, remember, publish, clock = systemClock } = options;
  const { name, deploymentConfiguration } = definition;
  const printed = new Set<string>();
  const stopping = new AbortController();
  /** Tasks, the oldest first. */
  let tasks: Task[] = [];
  const members = new Map<Task, Member>();
  const attached = new Set<Task>();
  let desired = options.desiredCount;
  let reconciling = false;
  let again = false;

  const notifyOnce = (text: string) => {
    if (!printed.has(text)) notify(text);
    printed.add(text);
  };

  const pause = createStartPause(clock, reconcile);
  const protections = createProtections({ clock, max: () => desired, expired: reconcile });
  const deployments = createDeployments({
    definition,
    ...(options.before && { before: options.before }),
    now: () => new Date(clock.now()),
    publish,
    notify: notifyOnce,
    changed: (kept) => remember({ deployments: kept }),
  });

  function forgetOld(): void {
    const oldest = clock.now() - rules.stoppedAreListed.value.milliseconds;
    tasks = tasks.filter((task) => (task.state().stoppedAt?.getTime() ?? clock.now()) > oldest);
  }

  function add(task: Task): Task {
    forgetOld();
    tasks.push(task);
    return task;
  }

  function launch(deployment: Deployment): void {
    const task = add(startTask(deployment, reconcile));
    const member = { task, deployment, startedAt: clock.now(), waited: false };
    members.set(task, member);
    void task.ended.then((reason) => {
      protections.end(task);
      // The service has already replaced a task that was stopped on purpose, if necessary.
      if (!members.delete(task) || stopping.signal.aborted) return;
      const next = members.size < desired ? ' The service starts another.' : '';
      notifyOnce(`A task of ${name} stopped: ${reason}.${next}`);
      if (clock.now() - member.startedAt < SHORT_LIFE) pause.begin();
      else pause.forgive();
      if (hasFailed(task.state())) deployments.recordFailure(deployment, desired);
      reconcile();
    });
  }

  /** Starts a task if there is capacity; otherwise schedules another check. */
  function place(deployment: Deployment): void {
    if (hasPlace()) launch(deployment);
    else pause.begin();
  }

  function dismiss(task: Task, cause: StopCause, limit?: number): void {
    members.delete(task);
    protections.end(task);
    void task.stop(cause, limit);
  }

  /** Returns whether the task counts as healthy. If the task only needs more time, schedules a reconciliation. */
  function isHealthy(member: Member): boolean {
    const { task, deployment } = member;
    const left = untilHealthy(task.state(), task.traffic(), deployment.taskDefinition, clock.now());
    if (left !== undefined && left > 0 && !member.waited) {
      member.waited = true;
      void clock.sleep(left, stopping.signal).then(reconcile);
    }
    return left === 0;
  }

  function scaleIn(among: readonly Member[], max: number): void {
    const { value } = rules.scaledIn;
    const stoppedReason = `${value.stoppedReason} (deployment ${deployments.primary().id})`;
    const stoppable = inScaleInOrder(among).filter(({ task }) => protections.until(task) === undefined);
    for (const { task } of stoppable.slice(0, max)) dismiss(task, { ...value, stoppedReason });
  }

  /** Replaces the tasks whose targets are unhealthy. */
  function dismissUnhealthy(): void {
    for (const { task, deployment } of members.values()) {
      if (task.traffic() !== 'unhealthy') continue;
      notifyOnce(`A task of ${name} does not pass the health checks of its load balancer. The service starts another.`);
      dismiss(task, rules.unhealthyTarget.value);
      deployments.recordFailure(deployment, desired);
    }
  }

  function take(): void {
    dismissUnhealthy();
    const primary = deployments.primary();
    const all = [...members.values()];
    const healthy = all.filter(isHealthy);
    for (const { deployment } of healthy) deployments.recordHealthy(deployment);
    const [current, old] = [
      all.filter((its) => its.deployment === primary),
      all.filter((its) => its.deployment !== primary),
    ];
    const healthyOnes = current.filter((member) => healthy.includes(member));
    const last = deployments.all().find((deployment) => deployment !== primary && deployments.mayStart(deployment));
    const counts = {
      desired,
      primary: { live: current.length, healthy: healthyOnes.length, mayStart: deployments.mayStart(primary) },
      old: { live: old.length, mayStart: last !== undefined },
    };
    const step = rolloutStep(counts, deploymentConfiguration);
    scaleIn(current, step.stopNew);
    scaleIn(old, step.stopOld);
    for (let n = 0; n < step.startNew && !pause.isOn(); n += 1) place(primary);
    for (let n = 0; last && n < step.startOld && !pause.isOn(); n += 1) place(last);
    if (current.length === desired && healthyOnes.length === desired && old.length === 0) deployments.complete();
    deployments.prune((deployment) => all.some((member) => member.deployment === deployment));
  }

  /**
   * Returns whether an attached command runs. A stopping command does not count, so that
   * other tasks can start.
   */
  const hasStandIn = () => [...attached].some((task) => task.state().desiredStatus === 'RUNNING');

  /**
   * Starts and stops tasks as needed. A task that starts or stops within this function calls it again immediately.
   */
  function reconcile(): void {
    again = true;
    if (reconciling) return;
    reconciling = true;
    while (again && !stopping.signal.aborted && !hasStandIn()) {
      again = false;
      take();
    }
    reconciling = false;
  }

  reconcile();
  return {
    definition,
    startedAt: new Date(clock.now()),
    settled: Promise.all(tasks.flatMap(({ ready, serving }) => [ready, serving])).then(() => undefined),
    desiredCount: () => desired,
    deployments: deployments.all,
    update({
      desiredCount = desired,
      taskDefinition = deployments.primary().taskDefinition,
      forceNewDeployment = false,
    }) {
      const isNew = forceNewDeployment || taskDefinition.arn !== deployments.primary().taskDefinition.arn;
      if (desiredCount > desired || isNew) pause.end();
      if (desiredCount !== desired) remember({ desiredCount });
      desired = desiredCount;
      if (isNew) deployments.begin(taskDefinition);
      reconcile();
    },
    attach(attachment) {
      const task = add(startTask(deployments.primary(), reconcile, attachment));
      attached.add(task);
      if (stopping.signal.aborted) void task.stop(rules.stoppedByUser.value, 0);
      for (const own of members.keys())
        dismiss(own, { ...rules.stoppedByUser.value, stoppedReason: 'A command is attached' });
      void task.ended.then(() => {
        attached.delete(task);
        reconcile();
      });
      return task;
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
    interrupt(task) {
      const { milliseconds, ...cause } = rules.spotInterruption.value;
      dismiss(task, cause, milliseconds);
      reconcile();
    },
    lose(task) {
      members.delete(task);
      protections.end(task);
      task.crash();
      reconcile();
    },
    async stop(limit) {
      stopping.abort();
      pause.end();
      protections.endAll();
      await Promise.all(tasks.map((task) => task.stop(rules.stoppedByUser.value, limit)));
    },
  };
}
