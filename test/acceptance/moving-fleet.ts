/** Replaces and scales the workers of one endpoint of a running service with the ECS API, as an operator does. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DescribeServicesCommand,
  DescribeTaskDefinitionCommand,
  DescribeTasksCommand,
  ECSClient,
  ListTasksCommand,
  RegisterTaskDefinitionCommand,
  type RegisterTaskDefinitionCommandInput,
  type Task,
  UpdateServiceCommand,
} from '@aws-sdk/client-ecs';
import { changeStack, type Resources } from './assembly.ts';
import type { LocalService } from './local-service.ts';
import { operatorSettings } from './operator.ts';

interface Variable {
  readonly Name: string;
  Value: string;
}

const containersIn = (resources: Resources) =>
  Object.values(resources)
    .filter(({ Type }) => Type === 'AWS::ECS::TaskDefinition')
    .flatMap(({ Properties }) => Properties.ContainerDefinitions as { Name: string; Environment: Variable[] }[]);

/**
 * Changes the declared settings of an endpoint in the assembly. Its handlers log their effects if `effectsLog`
 * names a file.
 */
export function changeEndpoint(
  assembly: string,
  endpoint: string,
  declared: { readonly idleTimeout: number; readonly maxWorkers: number },
  effectsLog?: string,
): void {
  changeStack(assembly, `Endpoint-${endpoint}`, (resources) => {
    for (const { Type, Properties } of Object.values(resources))
      if (Type === 'Custom::Endpoint') Object.assign(Properties, declared);
    for (const { Name, Environment } of containersIn(resources)) {
      for (const variable of Environment)
        if (variable.Name === 'IDLE_TIMEOUT') variable.Value = String(declared.idleTimeout);
      if (Name === 'worker' && effectsLog) Environment.push({ Name: 'EFFECTS_LOG', Value: effectsLog });
    }
  });
}

/** Returns the ids of the jobs whose effects the handlers have logged, one id for each effect. */
export function effectsIn(log: string): string[] {
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, 'utf8').split('\n').filter(Boolean);
  return lines
    .map((line) => JSON.parse(line) as { job: string; event: string })
    .flatMap(({ job, event }) => (event === 'effect' ? [job] : []));
}

export interface MovingFleet {
  /** Returns the tasks of the service. */
  tasks(): Promise<Task[]>;
  /**
   * Adds a variable to every container, and starts a deployment of the new revision.
   * @returns the ARN of the revision
   */
  release(variable: { readonly name: string; readonly value: string }): Promise<string>;
  scaleTo(desiredCount: number): Promise<void>;
  /** Returns the rollout state of the newest deployment. */
  rollout(): Promise<string | undefined>;
}

/**
 * Returns access to the service of a stack.
 * @param stack name of the stack
 */
export function fleetOf({ stateDir }: LocalService, stack: string): MovingFleet {
  const read = <Content>(file: string) => JSON.parse(readFileSync(join(stateDir, file), 'utf8')) as Content;
  const ecs = new ECSClient(operatorSettings(stateDir));
  const arn =
    Object.keys(read<object>('services.json')).find((name) => name.split('/').at(-1)?.startsWith(stack)) ?? '';
  const [, cluster, service = ''] = arn.split('/');
  const where = { cluster, service };

  async function describeService() {
    const { services = [] } = await ecs.send(new DescribeServicesCommand({ cluster, services: [service] }));
    return services[0];
  }

  return {
    async tasks() {
      const { taskArns: tasks = [] } = await ecs.send(new ListTasksCommand({ cluster, serviceName: service }));
      if (tasks.length === 0) return [];
      return (await ecs.send(new DescribeTasksCommand({ cluster, tasks }))).tasks ?? [];
    },
    async release(variable) {
      const { taskDefinition: name } = (await describeService()) ?? {};
      const { taskDefinition } = await ecs.send(new DescribeTaskDefinitionCommand({ taskDefinition: name }));
      const { family, taskRoleArn, executionRoleArn, containerDefinitions = [] } = taskDefinition ?? {};
      const input: RegisterTaskDefinitionCommandInput = {
        family,
        taskRoleArn,
        executionRoleArn,
        containerDefinitions: containerDefinitions.map((container) => ({
          ...container,
          environment: [...(container.environment ?? []), variable],
        })),
      };
      const { taskDefinition: registered } = await ecs.send(new RegisterTaskDefinitionCommand(input));
      await ecs.send(new UpdateServiceCommand({ ...where, taskDefinition: family }));
      return registered?.taskDefinitionArn ?? '';
    },
    async scaleTo(desiredCount) {
      await ecs.send(new UpdateServiceCommand({ ...where, desiredCount }));
    },
    rollout: async () => (await describeService())?.deployments?.[0]?.rolloutState,
  };
}
