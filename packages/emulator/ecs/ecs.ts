/** ECS on this machine: the services of all stacks. */

import type { Authorize } from '../iam/permissions.ts';
import { systemClock } from './clock.ts';
import type { ServiceDefinition } from './definitions.ts';
import { createEcsApi } from './ecs-api.ts';
import { runnable } from './families.ts';
import type { Host } from './host.ts';
import { startMetadataServer } from './metadata.ts';
import { serviceArn } from './names.ts';
import { placementFailure, pullFailure, refusalOf } from './placement.ts';
import type { EcsDefinitions } from './registry.ts';
import { type Service, type ServiceOptions, startService } from './service.ts';
import { startTask } from './task.ts';
import { taskProtectionEndpoint } from './task-protection.ts';
import type { EcsEvent } from './task-state.ts';
import { createMount } from './volumes.ts';

export interface Ecs {
  /**
   * Starts the services that were declared after the last start.
   * @returns the started services
   */
  start(): readonly Service[];
  /** Resolves when every started service has its tasks, or its first attempt to start them has failed. */
  readonly settled: Promise<void>;
  /** Loses the task with this id, as if its machine had failed. */
  lose(id: string): void;
  /**
   * Reclaims the capacity of the oldest running task without targets, as Fargate Spot does.
   * @returns the task's id; undefined if no such task runs
   */
  interrupt(): string | undefined;
  /**
   * Stops all services.
   * @param limit milliseconds until the last task has stopped
   */
  stop(limit: number): Promise<void>;
}

export interface EcsOptions {
  /** Registry that contains the running services. */
  readonly definitions: EcsDefinitions;
  /** The parts of this machine that tasks need. `publish` receives an event for each change of a task. */
  readonly host: Omit<Host, 'metadata' | 'mount'>;
  /** Prints a message for the user. */
  notify(text: string): void;
  /** File that lists the services without capacity: see `placement.ts`. */
  readonly placement?: string;
  /** Folder of the file systems of the stacks. Without it, no task can have a volume. */
  readonly volumes?: string;
  /** Authorizes calls to the agent's endpoint, and mounts. Without it, all calls and mounts are allowed. */
  readonly authorize?: Authorize;
}

/** Returns the service with the revision that was set last. */
function withLastRevision({ families, memory }: EcsDefinitions, declared: ServiceDefinition): ServiceDefinition {
  const last = families.find(
    memory.settingsOf(serviceArn(declared.cluster, declared.serviceName))?.taskDefinition ?? '',
  );
  return last ? { ...declared, taskDefinition: runnable(last) } : declared;
}

/** Describes how the GPUs of a service differ from those in AWS, if the service needs GPUs. */
function lackOf({ name, taskDefinition }: ServiceDefinition): string | undefined {
  const gpus = taskDefinition.containers.reduce((sum, container) => sum + (container.gpus ?? 0), 0);
  if (gpus === 0) return undefined;
  const number = gpus === 1 ? '1 GPU' : `${gpus} GPUs`;
  return `Tasks of ${name} will have ${number} each; here they use the GPUs of this machine.`;
}

/** Returns the functions that start tasks and check for capacity. */
function placing(
  definition: ServiceDefinition,
  host: Host,
  placement: string | undefined,
): Pick<ServiceOptions, 'startTask' | 'hasPlace'> {
  const { clock = systemClock, publish = () => undefined } = host;
  return {
    startTask({ id, taskDefinition }, changed, attachment) {
      const publishWithFailure = (event: EcsEvent) => {
        publish(event);
        const failure = pullFailure(definition, event.detail, clock);
        if (failure) publish(failure);
        changed();
      };
      const its = { ...host, publish: publishWithFailure, trafficChanged: changed };
      return startTask({ ...definition, taskDefinition, startedBy: id }, its, attachment);
    },
    hasPlace() {
      const refusal = refusalOf(placement, definition);
      if (refusal !== undefined) publish(placementFailure(definition, refusal, clock));
      return refusal === undefined;
    },
  };
}

/** Starts the services that are declared. `start` of the result starts those that are declared later. */
export async function startEcs(options: EcsOptions): Promise<Ecs> {
  const { definitions, notify, placement, volumes: folder, authorize } = options;
  const { running, services, memory, accessPoints } = definitions;
  const mount = folder === undefined ? undefined : createMount({ accessPoints, folder, authorize });
  const host = { ...options.host, ...(mount && { mount }) };
  const { publish = () => undefined } = host;
  const metadata = await startMetadataServer(taskProtectionEndpoint(running, createEcsApi(definitions), authorize));
  const started: Service[] = [];

  function startOne(declared: ServiceDefinition): Service {
    const definition = withLastRevision(definitions, declared);
    const before = memory.deployments(definition);
    const lack = lackOf(definition);
    if (lack !== undefined) notify(lack);
    const service = startService({
      definition,
      desiredCount: memory.desiredCount(definition),
      ...(before && { before }),
      notify,
      publish,
      ...placing(definition, { ...host, metadata }, placement),
      remember: (change) => memory.remember(definition, change),
      ...(host.clock && { clock: host.clock }),
    });
    running.set(serviceArn(definition.cluster, definition.serviceName), service);
    started.push(service);
    return service;
  }

  const start = () => services.slice(started.length).map(startOne);
  start();
  return {
    start,
    get settled() {
      return Promise.all(started.map(({ settled }) => settled)).then(() => undefined);
    },
    lose(id) {
      for (const service of started) for (const task of service.tasks()) if (task.id === id) service.lose(task);
    },
    interrupt() {
      // Tasks behind a load balancer do not run on spot capacity.
      const interruptible = started.filter(({ definition }) => definition.targets === undefined);
      const all = interruptible.flatMap((service) =>
        service.tasks().map((task) => ({ service, task, ...task.state() })),
      );
      const [oldest] = all
        .filter(({ lastStatus }) => lastStatus === 'RUNNING')
        .toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
      oldest?.service.interrupt(oldest.task);
      return oldest?.task.id;
    },
    async stop(limit) {
      await Promise.all(started.map((service) => service.stop(limit)));
      metadata.close();
    },
  };
}

/**
 * When `npm start` receives SIGUSR2, reclaims the capacity of the oldest task, as Fargate Spot does.
 * @returns function that stops listening
 */
export function onSpotSignal(ecs: Pick<Ecs, 'interrupt'>, notify: (text: string) => void): () => void {
  const interrupt = () => {
    const task = ecs.interrupt();
    if (task === undefined) notify('No task runs, so no spot capacity can be reclaimed.');
    else notify(`The spot capacity of task ${task} is reclaimed: the task stops within two minutes.`);
  };
  process.on('SIGUSR2', interrupt);
  return () => process.off('SIGUSR2', interrupt);
}
