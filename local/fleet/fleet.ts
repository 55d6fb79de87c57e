/** ECS on this machine: the services of all stacks. */
import type { StateDirectory } from '../state-directory.ts';
import { systemClock } from './clock.ts';
import type { FleetDefinitions, ServiceDefinition } from './definitions.ts';
import { recallDesiredCounts } from './desired-counts.ts';
import { createEcsApi } from './ecs-api.ts';
import { startMetadataServer } from './metadata.ts';
import { serviceArn } from './names.ts';
import { placementFailure, pullFailure, refusalOf } from './placement.ts';
import { type ServiceOptions, startService } from './service.ts';
import { type Host, startTask } from './task.ts';
import { type Authorize, taskProtectionEndpoint } from './task-protection.ts';
import type { EcsEvent } from './task-state.ts';

export interface Fleet {
  /** Resolves when every service has its tasks, or has failed to start them once. */
  readonly settled: Promise<void>;
  /** The task with this id is lost with its machine. */
  lose(id: string): void;
  /** @param limit milliseconds until the last task has ended */
  stop(limit: number): Promise<void>;
}

export interface FleetOptions {
  /** What runs is added to it. */
  readonly definitions: FleetDefinitions;
  /** With `publish`, changes of tasks are events. */
  readonly host: Omit<Host, 'metadata'>;
  /** Keeps the desired counts. */
  readonly state: Pick<StateDirectory, 'readJson' | 'writeJson'>;
  /** Tells the user something. */
  note(text: string): void;
  /** File that says what the provider has no place for: see `placement.ts`. */
  readonly placement?: string;
  /** Checks what containers ask of the agent's endpoint; without it, they may do it. */
  readonly authorize?: Authorize;
}

/** Starts tasks where there is a place for them. */
function placing(
  definition: ServiceDefinition,
  host: Host,
  placement: string | undefined,
): Pick<ServiceOptions, 'startTask' | 'hasPlace'> {
  const { clock = systemClock, publish = () => undefined } = host;
  const publishBoth = (event: EcsEvent) => {
    publish(event);
    const failure = pullFailure(definition, event.detail, clock);
    if (failure) publish(failure);
  };
  return {
    startTask: () => startTask(definition, { ...host, publish: publishBoth }),
    hasPlace() {
      const refusal = refusalOf(placement, definition);
      if (refusal !== undefined) publish(placementFailure(definition, refusal, clock));
      return refusal === undefined;
    },
  };
}

export async function startFleet({
  definitions,
  host,
  state,
  note,
  placement,
  authorize,
}: FleetOptions): Promise<Fleet> {
  const { running, services } = definitions;
  const counts = recallDesiredCounts(state, services);
  const metadata = await startMetadataServer(taskProtectionEndpoint(running, createEcsApi(definitions), authorize));
  for (const definition of services) {
    const service = startService({
      definition,
      desiredCount: counts.of(definition),
      note,
      ...placing(definition, { ...host, metadata }, placement),
      remember: (count) => counts.remember(definition, count),
      ...(host.clock && { clock: host.clock }),
    });
    running.set(serviceArn(definition.cluster, definition.serviceName), service);
  }
  const started = [...running.values()];
  return {
    settled: Promise.all(started.map(({ settled }) => settled)).then(() => undefined),
    lose(id) {
      for (const service of started) for (const task of service.tasks()) if (task.id === id) service.lose(task);
    },
    async stop(limit) {
      await Promise.all(started.map((service) => service.stop(limit)));
      metadata.close();
    },
  };
}
