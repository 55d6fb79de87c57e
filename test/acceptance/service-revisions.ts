/** Reads the revisions of the ECS services of endpoints from a running `npm start`, as an operator does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DescribeServicesCommand,
  DescribeTaskDefinitionCommand,
  DescribeTasksCommand,
  ECSClient,
  type Service,
} from '@aws-sdk/client-ecs';
import { operatorSettings } from './operator.ts';

interface KnownService {
  readonly cluster: string;
  readonly service: string;
}

export interface ServiceRevisions {
  /** Reads the ECS service of the endpoint. */
  described(endpoint: string): Promise<Service | undefined>;
  /** Returns the family and number of the service's revision, such as `gpu-endpoints-Endpoint-echo:1`. */
  revisionOf(endpoint: string): Promise<string | undefined>;
  /** Returns the values of an environment variable in each container of a revision, in their order. */
  variableIn(revision: string, name: string): Promise<(string | undefined)[]>;
  /** Returns the image of each container of a revision, in their order. */
  imagesIn(revision: string): Promise<(string | undefined)[]>;
  /** Returns the ARN of the revision that a task of the endpoint runs. */
  revisionOfTask(endpoint: string, task: string): Promise<string | undefined>;
}

/**
 * Returns an operator's client, and the services by endpoint. They are read for each call, because a restart
 * changes the address.
 */
function fleet(stateDir: string) {
  const ecs = new ECSClient(operatorSettings(stateDir));
  const names = Object.keys(JSON.parse(readFileSync(join(stateDir, 'services.json'), 'utf8')) as object);
  const named = (endpoint: string): KnownService => {
    const [, cluster = '', name = ''] =
      names.find((arn) => arn.includes(`/Endpoint-${endpoint}-Workers`))?.split('/') ?? [];
    return { cluster, service: name };
  };
  return { ecs, named };
}

/**
 * Creates the reader.
 * @param stateDir state directory of the running service
 */
export function serviceRevisions(stateDir: string): ServiceRevisions {
  async function described(endpoint: string) {
    const { ecs, named } = fleet(stateDir);
    const { cluster, service } = named(endpoint);
    const { services = [] } = await ecs.send(new DescribeServicesCommand({ cluster, services: [service] }));
    return services[0];
  }

  async function containersOf(revision: string) {
    const { ecs } = fleet(stateDir);
    const { taskDefinition } = await ecs.send(new DescribeTaskDefinitionCommand({ taskDefinition: revision }));
    return taskDefinition?.containerDefinitions ?? [];
  }

  return {
    described,

    revisionOf: async (endpoint) => (await described(endpoint))?.taskDefinition?.split('/').at(-1),

    async variableIn(revision, name) {
      const environments = (await containersOf(revision)).map(({ environment = [] }) => environment);
      return environments.map((variables) => variables.find((variable) => variable.name === name)?.value);
    },

    imagesIn: async (revision) => (await containersOf(revision)).map(({ image }) => image),

    async revisionOfTask(endpoint, task) {
      const { ecs, named } = fleet(stateDir);
      const { cluster } = named(endpoint);
      const { tasks = [] } = await ecs.send(new DescribeTasksCommand({ cluster, tasks: [task] }));
      return tasks[0]?.taskDefinitionArn;
    },
  };
}
