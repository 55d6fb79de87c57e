/**
 * Deploys the stack of an endpoint in the order of CloudFormation, over the local ECS and the functions of custom
 * resources. It calls a function if the properties of its resource have changed, and changes the service if the
 * service's properties have changed.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { createDocumentClient } from '../../aws/clients.ts';
import { createTemplates } from '../../aws/templates/templates.ts';
import { carriedId } from '../../core/templates/drift.ts';
import { PLATFORM } from '../../core/users/owner.ts';
import { startAwsProxy } from '../../packages/emulator/aws-proxy/server.ts';
import type { ServiceDefinition } from '../../packages/emulator/ecs/definitions.ts';
import { createEcsApi } from '../../packages/emulator/ecs/ecs-api.ts';
import { arnOf, runnable } from '../../packages/emulator/ecs/families.ts';
import { launchTypeRefusal } from '../../packages/emulator/ecs/launch-type.ts';
import { serviceArn } from '../../packages/emulator/ecs/names.ts';
import { noServices } from '../../packages/emulator/ecs/registry.ts';
import type { Registration } from '../../packages/emulator/ecs/task-definition-input.ts';
import { createPermissions } from '../../packages/emulator/iam/permissions.ts';
import { parsePolicy } from '../../packages/emulator/iam/statement.ts';
import type { EmulatedDeployment } from '../support/emulated-deployment.ts';
import { templateOf } from '../templates/settings.ts';

const nowhere = 'http://127.0.0.1:1';
const cluster = 'fleet';
const role = 'arn:aws:iam::000000000000:role/worker';

export interface Template {
  /** Environment of the agent, which is part of the blueprint. */
  readonly agent: string;
  /** Properties of the service such as its tags. */
  readonly service: Readonly<Record<string, string>>;
  readonly minWorkers: number;
  /**
   * Capacity provider of the service.
   * @default 'FARGATE'
   */
  readonly provider?: string;
}

/** Actions between the steps of a deployment. */
export interface Meanwhile {
  /** Whether every function is called twice, as Lambda can do. */
  readonly twice?: boolean;
  /** Runs after the revision is registered, before the service is changed. */
  readonly beforeService?: () => Promise<void>;
  /** Runs after the service is changed, before the endpoint is registered. */
  readonly beforeRecord?: () => Promise<void>;
}

interface Answer {
  readonly Status: string;
  readonly Reason?: string;
  readonly Data?: { readonly count?: number };
}

type Handler = (event: CloudFormationCustomResourceEvent) => Promise<void>;

/**
 * Starts the local ECS and CloudFormation.
 * @param emulated deployment whose tables the functions use
 */
export async function startSmallCloudFormation(emulated: EmulatedDeployment) {
  const definitions = noServices();
  const { families, memory, clusters } = definitions;
  clusters.add(cluster);
  const templates = createTemplates(createDocumentClient(), 'TEMPLATES_TABLE', emulated.clock);
  const permissions = createPermissions();
  permissions.addRole('test');
  const Statement = [{ Effect: 'Allow' as const, Action: '*', Resource: '*' }];
  permissions.attach('test', parsePolicy({ Version: '2012-10-17', Statement }, 'policy', 'identity'));
  const front = await startAwsProxy({
    emulators: { dynamodbUrl: nowhere, sqsUrl: nowhere, s3Url: nowhere },
    permissions,
    tables: new Map(),
    services: new Map([['ecs', createEcsApi(definitions)]]),
    notify: () => undefined,
  });
  // The emulators accept every key, and the proxy only the key of its role.
  const { AWS_ENDPOINT_URL: AWS_ENDPOINT_URL_ECS, ...keys } = front.environment('test', 'test');
  Object.assign(process.env, keys, { AWS_ENDPOINT_URL_ECS });

  let answer: Answer | undefined;
  const server = createServer(async (request, response) => {
    answer = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Answer;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const ResponseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  async function send(handler: Handler, RequestType: string, properties: object): Promise<Answer> {
    const names = { StackId: 's', RequestId: 'r', LogicalResourceId: 'l', ResponseURL };
    await handler({ RequestType, ResourceProperties: properties, ...names } as CloudFormationCustomResourceEvent);
    if (answer?.Status !== 'SUCCESS') throw new Error(`The function has failed: ${answer?.Reason}`);
    return answer;
  }

  const [first, release, count] = await Promise.all(
    ['first', 'release', 'live-count'].map(
      async (name) => ((await import(`../../lambda/releases/${name}.ts`)) as { handler: Handler }).handler,
    ),
  );
  if (!first || !release || !count) throw new Error('A resource has no function.');

  /** The last properties of each custom resource and of each service. */
  const asked = new Map<string, { properties: object; answer: Answer }>();
  const said = new Map<string, object>();

  /** @returns the data of the resource, and whether its function was called */
  async function apply(handler: Handler, key: string, properties: object) {
    const before = asked.get(key);
    if (before && isDeepStrictEqual(before.properties, properties)) return before;
    const after = { properties, answer: await send(handler, before ? 'Update' : 'Create', properties) };
    asked.set(key, after);
    return after;
  }

  const itsArn = (id: string) => serviceArn(cluster, id);
  const familyOf = (id: string) => `Endpoint-${id}`;
  const propertiesOf = (id: string, blueprint: string) => ({
    endpoint: id,
    family: familyOf(id),
    blueprint,
    template: carriedId(id),
  });

  /** @returns the ARN of the blueprint in a template */
  function blueprintOf(id: string, agent: string, provider = 'FARGATE'): string {
    const registration: Registration = {
      networkMode: 'awsvpc',
      requiresCompatibilities: [provider === 'FARGATE' ? 'FARGATE' : 'EC2'],
      family: `blueprint-${id}`,
      taskRoleArn: role,
      containerDefinitions: [
        {
          name: 'agent',
          image: 'agent',
          essential: true,
          stopTimeout: 30,
          dependsOn: [],
          environment: [{ name: 'A', value: agent }],
        },
      ],
    };
    return arnOf(families.register(registration, { resource: id }));
  }

  return {
    families,
    blueprintOf,
    /** @returns the endpoint's service in ECS */
    serviceOf(id: string) {
      const { desiredCount, taskDefinition } = memory.settingsOf(itsArn(id)) ?? {};
      return { desiredCount, taskDefinition };
    },
    setDesired: (id: string, desiredCount: number) => memory.update(itsArn(id), { desiredCount }),
    /** @returns the revision in ECS */
    revision: (name: string) => families.find(name),

    async deploy(
      id: string,
      { agent, service: tags, minWorkers, provider = 'FARGATE' }: Template,
      { twice = false, beforeService, beforeRecord }: Meanwhile = {},
    ): Promise<void> {
      const service = { ...tags, provider, cluster };
      const blueprint = blueprintOf(id, agent, provider);
      const properties = propertiesOf(id, blueprint);
      await templates.create(templateOf({ id: properties.template, name: properties.template, owner: PLATFORM }));
      const again = async (handler: Handler, asking: object) => {
        if (twice) await send(handler, 'Update', asking);
      };
      await apply(first, `${id}/first`, properties);
      await again(first, properties);
      await beforeService?.();

      const { answer: live } = await apply(count, `${id}/count`, { endpoint: id, service });
      const template = { ...service, desiredCount: live.Data?.count };
      if (!isDeepStrictEqual(said.get(id), template)) {
        const newest = families.find(familyOf(id));
        if (!newest) throw new Error('The service names a family without revisions.');
        const declared: ServiceDefinition = {
          name: id,
          serviceName: id,
          cluster,
          declared: familyOf(id),
          taskDefinition: runnable(newest),
          capacityProviders: [provider],
          properties: template,
          deploymentConfiguration: {
            minimumHealthyPercent: 100,
            maximumPercent: 200,
            circuitBreaker: { enable: true, rollback: true },
          },
          taskTags: {},
          desiredCount: Number(live.Data?.count),
        };
        const refusal = launchTypeRefusal(declared.taskDefinition.compatibilities, declared.capacityProviders);
        if (refusal !== undefined) throw new Error(`The service cannot be changed: ${refusal}`);
        memory.declare(declared);
        said.set(id, template);
      }
      await beforeRecord?.();

      const { family } = properties;
      const present = await emulated.ports.endpoints.readNow(id);
      if (present) await emulated.ports.endpoints.register({ ...present, family, blueprint, minWorkers });
      else await emulated.deploy(id, { family, blueprint, minWorkers });
      await apply(release, `${id}/release`, { endpoint: id, blueprint, minWorkers: String(minWorkers) });
      await again(release, { endpoint: id });
    },

    async destroy(id: string): Promise<void> {
      await send(release, 'Delete', { endpoint: id });
      await emulated.ports.endpoints.remove(id);
      await send(first, 'Delete', propertiesOf(id, ''));
    },

    /**
     * Releases a revision without a deployment, as an update of a template does.
     * @returns the revision
     */
    async releaseAtRunTime(id: string, agent: string): Promise<string> {
      const endpoint = await emulated.ports.endpoints.readNow(id);
      const present = families.find(familyOf(id));
      if (!endpoint?.release || !present) throw new Error(`${id} has no release.`);
      const [container] = present.registration.containerDefinitions;
      if (!container) throw new Error(`${id} has no container.`);
      const changed = { ...container, environment: [{ name: 'A', value: agent }] };
      const made = families.register({ ...present.registration, containerDefinitions: [changed] }, {});
      const released = { ...endpoint.release, revision: arnOf(made), state: 'COMPLETED' as const };
      await emulated.ports.endpoints.setRelease(id, endpoint.release, { ...released, settledAt: emulated.clock.now() });
      memory.update(itsArn(id), { taskDefinition: arnOf(made) });
      return arnOf(made);
    },

    async stop(): Promise<void> {
      server.close().closeAllConnections();
      await front.stop();
    },
  };
}

export type SmallCloudFormation = Awaited<ReturnType<typeof startSmallCloudFormation>>;
