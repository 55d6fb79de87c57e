/** ECS on this machine: the services of all stacks. */
import type { FleetDefinitions, ServiceDefinition } from './definitions.ts';
import { createEcsApi } from './ecs-api.ts';
import { runnable } from './families.ts';
import { startMetadataServer } from './metadata.ts';
import { serviceArn } from './names.ts';
import { startService } from './service.ts';
import { type Host, startTask } from './task.ts';
import { type Authorize, taskProtectionEndpoint } from './task-protection.ts';

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
  /** Tells the user something. */
  note(text: string): void;
  /** Checks what containers ask of the agent's endpoint; without it, they may do it. */
  readonly authorize?: Authorize;
}

/** The service with the revision that it was told last. */
function asTold({ families, states }: FleetDefinitions, declared: ServiceDefinition) {
  const { desiredCount = 0, taskDefinition = '' } = states.of(serviceArn(declared.cluster, declared.serviceName)) ?? {};
  const told = families.find(taskDefinition);
  return { desiredCount, definition: told ? { ...declared, taskDefinition: runnable(told) } : declared };
}

export async function startFleet({ definitions, host, note, authorize }: FleetOptions): Promise<Fleet> {
  const { running, services, states } = definitions;
  states.forgetOthers();
  const metadata = await startMetadataServer(taskProtectionEndpoint(running, createEcsApi(definitions), authorize));
  for (const declared of services) {
    const { definition, desiredCount } = asTold(definitions, declared);
    const itsArn = serviceArn(definition.cluster, definition.serviceName);
    const service = startService({
      definition,
      desiredCount,
      note,
      startTask: (taskDefinition) => startTask({ ...definition, taskDefinition }, { ...host, metadata }),
      remember: (count) => states.remember(itsArn, { desiredCount: count }),
      ...(host.clock && { clock: host.clock }),
    });
    running.set(itsArn, service);
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
