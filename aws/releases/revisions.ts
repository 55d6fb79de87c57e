/** The task definitions of workers, and the services that run them. */
import {
  ClientException,
  DeregisterTaskDefinitionCommand,
  DescribeServicesCommand,
  DescribeTaskDefinitionCommand,
  ECSClient,
  InvalidParameterException,
  paginateListTaskDefinitions,
  type TaskDefinition as Registered,
  RegisterTaskDefinitionCommand,
  type RegisterTaskDefinitionCommandInput,
  type Service,
  UpdateServiceCommand,
} from '@aws-sdk/client-ecs';
import type { LaunchType } from '../../core/endpoints/release.ts';
import type { Revisions } from '../../core/releases/revisions.ts';
import { ReleaseRefused, taskDefinitionSchema } from '../../core/releases/task-definition.ts';
import { requestHandler } from '../request-handler.ts';

/**
 * Attributes that ECS adds to a task definition and does not accept as input. The compiler checks that the list is
 * complete.
 */
const ADDED_BY_ECS: Record<Exclude<keyof Registered, keyof RegisterTaskDefinitionCommandInput>, true> = {
  taskDefinitionArn: true,
  revision: true,
  status: true,
  requiresAttributes: true,
  compatibilities: true,
  registeredAt: true,
  registeredBy: true,
  deregisteredAt: true,
  deleteRequestedAt: true,
};

/**
 * Returns the ARN of the revision that ECS has registered.
 * @throws Error if the response has no task definition. The SDK's types allow such a response; ECS never sends one
 */
function arnOf(registered: Registered | undefined): string {
  if (registered?.taskDefinitionArn === undefined) throw new Error('ECS returned no task definition.');
  return registered.taskDefinitionArn;
}

const FARGATE_PROVIDERS: readonly (string | undefined)[] = ['FARGATE', 'FARGATE_SPOT'];

/**
 * Returns the launch type of a service, or undefined without a strategy. Providers other than Fargate are pools of
 * instances.
 */
function launchTypeIn({ capacityProviderStrategy = [] }: Service): LaunchType | undefined {
  const [first] = capacityProviderStrategy;
  if (first === undefined) return undefined;
  return FARGATE_PROVIDERS.includes(first.capacityProvider) ? 'FARGATE' : 'EC2';
}

/**
 * Returns whether ECS will never accept the definition. ECS reports this by two types of errors, one of which it also
 * uses for a revision that another call registers at the same time.
 */
const isOfDefinition = (error: unknown): error is Error =>
  error instanceof InvalidParameterException ||
  (error instanceof ClientException && !/concurrent attempts/i.test(error.message));

/**
 * Retries of calls that ECS refuses because of their rate. A template with hundreds of endpoints registers more
 * revisions than ECS accepts at once, so the client measures the accepted rate and keeps to it.
 */
const paced = { retryMode: 'adaptive', maxAttempts: 10 } as const;

export function createRevisions(): Revisions {
  const ecs = new ECSClient({ requestHandler: requestHandler('services'), ...paced });
  return {
    async read(revision) {
      const command = new DescribeTaskDefinitionCommand({ taskDefinition: revision });
      const { taskDefinition = {} } = await ecs.send(command);
      const accepted = Object.entries(taskDefinition).filter(([name]) => !Object.hasOwn(ADDED_BY_ECS, name));
      return taskDefinitionSchema.parse(Object.fromEntries(accepted));
    },

    async register(definition) {
      // The definition was read from ECS, so it has the shape that ECS accepts.
      const input = definition as unknown as RegisterTaskDefinitionCommandInput;
      try {
        return arnOf((await ecs.send(new RegisterTaskDefinitionCommand(input))).taskDefinition);
      } catch (error) {
        if (!isOfDefinition(error)) throw error;
        throw new ReleaseRefused(`ECS refused the task definition: ${error.message}`, { cause: error });
      }
    },

    async list(family) {
      // Despite its name, `familyPrefix` matches only this family.
      const arns: string[] = [];
      for await (const page of paginateListTaskDefinitions({ client: ecs }, { familyPrefix: family, status: 'ACTIVE' }))
        arns.push(...(page.taskDefinitionArns ?? []));
      return arns;
    },

    async deregister(revision) {
      await ecs.send(new DeregisterTaskDefinitionCommand({ taskDefinition: revision }));
    },

    async currentDeployment({ cluster, service }) {
      const { services = [] } = await ecs.send(new DescribeServicesCommand({ cluster, services: [service] }));
      const [found] = services;
      // Revision and state are those of the same deployment: `PRIMARY` is the newest one, or the previous one after ECS has
      // rolled the newest back.
      const primary = found?.deployments?.find(({ status }) => status === 'PRIMARY');
      const revision = primary?.taskDefinition ?? found?.taskDefinition;
      if (found === undefined || revision === undefined) return undefined;
      const [state, launchType] = [primary?.rolloutState, launchTypeIn(found)];
      return { revision, ...(state && { state }), ...(launchType && { launchType }) };
    },

    async deploy({ cluster, service }, revision) {
      await ecs.send(new UpdateServiceCommand({ cluster, service, taskDefinition: revision }));
    },
  };
}
