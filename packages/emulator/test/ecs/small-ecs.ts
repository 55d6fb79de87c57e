/** A service whose tasks have no processes: the test starts and stops them. */

import type { ServiceDefinition, TaskDefinition } from '../../ecs/definitions.ts';
import type { Deployment } from '../../ecs/deployment.ts';
import type { KeptDeployments } from '../../ecs/deployments.ts';
import { serviceArn } from '../../ecs/names.ts';
import type { EcsDefinitions } from '../../ecs/registry.ts';
import { noServices } from '../../ecs/registry.ts';
import { rules } from '../../ecs/rules.ts';
import { type Service, startService } from '../../ecs/service.ts';
import type { Task } from '../../ecs/task.ts';
import { createTaskRecord, type EcsEvent, type StopCause } from '../../ecs/task-state.ts';
import type { TaskContainers } from '../../product.ts';
import { fakeClock } from './test-clock.ts';

/** The variables through which the containers of these tests find each other. */
export const testContainers: TaskContainers = {
  sidecarPort: 'AGENT_PORT',
  serverPort: 'PORT',
  mainContainer: (containers) => containers.at(-1),
};

export interface FakeTask extends Task {
  /** Lets all containers of the task run with this health status. */
  run(healthStatus?: 'HEALTHY' | 'UNKNOWN'): void;
  /** Fails the health check of the task, so that it stops. */
  becomeUnhealthy(): void;
  end(reason: string): void;
  readonly stops: readonly { readonly cause: StopCause; readonly limit?: number | undefined }[];
}

export const definition: ServiceDefinition = {
  name: 'echo',
  serviceName: 'echo-Service',
  cluster: 'fleet',
  desiredCount: 1,
  deploymentConfiguration: {
    minimumHealthyPercent: 100,
    maximumPercent: 200,
    circuitBreaker: { enable: false, rollback: false },
  },
  taskTags: { endpoint: 'echo' },
  properties: {},
  declared: 'echo',
  taskDefinition: {
    arn: 'arn:aws:ecs:us-east-1:000000000000:task-definition/echo:1',
    family: 'echo',
    role: 'echo-role',
    roleArn: 'arn:aws:iam::000000000000:role/echo-role',
    containers: [],
  },
};

/** Creates another revision of the definition, whose tasks are healthy when their container is. */
export const revision = (number: number, healthCheck = true): TaskDefinition => ({
  ...definition.taskDefinition,
  arn: definition.taskDefinition.arn.replace(/\d+$/, String(number)),
  containers: [
    {
      name: 'agent',
      image: 'agent',
      essential: true,
      environment: {},
      dependsOn: [],
      stopTimeout: 30_000,
      ...(healthCheck && { healthCheck: { interval: 30_000, timeout: 5_000, startPeriod: 0, retries: 3 } }),
    },
  ],
});

export interface SmallEcs {
  readonly definitions: EcsDefinitions;
  readonly service: Service;
  readonly clock: ReturnType<typeof fakeClock>;
  readonly tasks: readonly FakeTask[];
  readonly notices: readonly string[];
  /** Desired counts that the service has stored so far. */
  readonly remembered: readonly number[];
  readonly kept: readonly KeptDeployments[];
  readonly events: readonly EcsEvent[];
}

interface SmallEcsOptions {
  /** Whether a task stops immediately when it is asked to. */
  readonly stopsAtOnce?: boolean;
  readonly service?: Partial<ServiceDefinition>;
  readonly before?: KeptDeployments;
}

export function smallEcs(desiredCount: number, options: SmallEcsOptions = {}): SmallEcs {
  const { stopsAtOnce = true, service: its, before } = options;
  const clock = fakeClock();
  const tasks: FakeTask[] = [];
  const notices: string[] = [];
  const remembered: number[] = [];
  const kept: KeptDeployments[] = [];
  const events: EcsEvent[] = [];

  function fakeTask({ id: startedBy, taskDefinition }: Deployment, changed: () => void): FakeTask {
    const id = String(tasks.length).padStart(32, '0');
    const record = createTaskRecord({ ...definition, taskDefinition, startedBy }, id, clock, changed);
    const { promise: ended, resolve: resolveEnded } = Promise.withResolvers<string>();
    const { promise: ready, resolve: resolveReady } = Promise.withResolvers<boolean>();
    const stops: { cause: StopCause; limit?: number | undefined }[] = [];
    const end = (reason: string) => {
      record.change({ lastStatus: 'STOPPED', desiredStatus: 'STOPPED', stoppedAt: new Date(clock.now()) });
      resolveReady(false);
      resolveEnded(reason);
    };
    return {
      id,
      taskDefinition,
      ready,
      ended,
      stops,
      end,
      state: record.state,
      traffic: () => 'none',
      serving: Promise.resolve(true),
      run(healthStatus = 'HEALTHY') {
        for (const { name } of taskDefinition.containers) record.changeContainer(name, { healthStatus });
        record.change({ lastStatus: 'RUNNING', startedAt: new Date(clock.now()) });
        resolveReady(true);
      },
      becomeUnhealthy() {
        record.change(rules.unhealthy.value);
        end('container agent became unhealthy');
      },
      stop(cause, limit) {
        stops.push({ cause, limit });
        record.change({ lastStatus: 'STOPPING', desiredStatus: 'STOPPED', ...cause });
        if (stopsAtOnce) end('it was asked to stop');
        return ended;
      },
      crash: () => end('signal SIGKILL'),
    };
  }

  const service = startService({
    definition: { ...definition, ...its },
    desiredCount,
    clock,
    ...(before && { before }),
    notify: (text) => notices.push(text),
    publish: (event) => events.push(event),
    remember({ desiredCount: count, deployments }) {
      if (count !== undefined) remembered.push(count);
      if (deployments) kept.push(deployments);
    },
    startTask(deployment, changed) {
      const task = fakeTask(deployment, changed);
      tasks.push(task);
      return task;
    },
  });
  const definitions = noServices();
  definitions.clusters.add(definition.cluster);
  definitions.running.set(serviceArn(definition.cluster, definition.serviceName), service);
  return { definitions, service, clock, tasks, notices, remembered, kept, events };
}
