/** Who owns a service: deployments over releases, by `npm start` again with other stacks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DescribeServicesCommand,
  DescribeTaskDefinitionCommand,
  DescribeTasksCommand,
  ECSClient,
  RegisterTaskDefinitionCommand,
  type RegisterTaskDefinitionCommandInput,
  UpdateServiceCommand,
} from '@aws-sdk/client-ecs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tag, upgrade } from '../permissions/assemblies.ts';
import { changeStack, copyAssembly } from './assembly.ts';
import {
  jobIn,
  type LocalService,
  newStateDir,
  removeStateDir,
  startService,
  stopService,
  submit,
} from './local-service.ts';

let service: LocalService;
const stateDir = newStateDir();
const assembly = join(stateDir, 'changed-assembly');

interface KnownService {
  readonly cluster: string;
  readonly service: string;
}

/** An operator's client, and the services by endpoint, as the service says where they are. */
function fleet() {
  const { Platform } = JSON.parse(readFileSync(join(stateDir, 'outputs.json'), 'utf8')) as {
    Platform: { AwsEnvironment: Record<string, string> };
  };
  const { AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = Platform.AwsEnvironment;
  const ecs = new ECSClient({
    region: 'us-east-1',
    endpoint: AWS_ENDPOINT_URL,
    credentials: { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY },
  });
  const names = Object.keys(JSON.parse(readFileSync(join(stateDir, 'services.json'), 'utf8')) as object);
  const named = (endpoint: string): KnownService => {
    const [, cluster = '', name = ''] =
      names.find((arn) => arn.includes(`/Endpoint-${endpoint}-Workers`))?.split('/') ?? [];
    return { cluster, service: name };
  };
  return { ecs, named };
}

async function described(endpoint: string) {
  const { ecs, named } = fleet();
  const { cluster, service: name } = named(endpoint);
  const { services = [] } = await ecs.send(new DescribeServicesCommand({ cluster, services: [name] }));
  return services[0];
}

const revisionOf = async (endpoint: string) => (await described(endpoint))?.taskDefinition?.split('/').at(-1);

/** What the containers of a revision are told by this name. */
async function told(revision: string, name: string): Promise<(string | undefined)[]> {
  const { taskDefinition } = await fleet().ecs.send(new DescribeTaskDefinitionCommand({ taskDefinition: revision }));
  const environments = taskDefinition?.containerDefinitions?.map(({ environment = [] }) => environment) ?? [];
  return environments.map((variables) => variables.find((variable) => variable.name === name)?.value);
}

/** A release that no deployment knows of, as a changed template makes it. */
async function release(endpoint: string): Promise<void> {
  const { ecs, named } = fleet();
  const family = `Endpoint-${endpoint}`;
  const { taskDefinition } = await ecs.send(new DescribeTaskDefinitionCommand({ taskDefinition: family }));
  const { taskRoleArn, executionRoleArn, containerDefinitions = [] } = taskDefinition ?? {};
  const changed = containerDefinitions.map(({ environment = [], ...container }) => ({
    ...container,
    environment: [...environment, { name: 'RELEASED', value: 'true' }],
  }));
  const input: RegisterTaskDefinitionCommandInput = {
    family,
    taskRoleArn,
    executionRoleArn,
    containerDefinitions: changed,
  };
  await ecs.send(new RegisterTaskDefinitionCommand(input));
  await ecs.send(new UpdateServiceCommand({ ...named(endpoint), taskDefinition: family }));
}

beforeAll(async () => {
  await copyAssembly(assembly);
  service = await startService(stateDir, { args: ['--assembly', assembly] });
}, 120_000);
afterAll(async () => {
  await stopService(service);
  removeStateDir(stateDir);
});

describe('a first deployment', () => {
  it('gives each service the first revision of its family, and no worker', async () => {
    expect(await revisionOf('echo')).toBe('Endpoint-echo:1');
    expect(await described('echo')).toMatchObject({ desiredCount: 0 });
    expect(service.printed()).not.toContain('of Endpoint-echo ...');
  });

  it('runs jobs with it', async () => {
    const { json } = await submit(service, '{"input":{}}');
    await jobIn(service, json.id, 'COMPLETED');
  });
});

describe('the next deployment', () => {
  beforeAll(async () => {
    for (const endpoint of ['echo', 'echo-sdk', 'echo-http']) await release(endpoint);
    const { json } = await submit(service, '{"input":{"op":"sleep","ms":600000}}', 'echo-sdk');
    await jobIn(service, json.id, 'IN_PROGRESS', undefined, 'echo-sdk');
    await stopService(service);
    changeStack(assembly, 'Endpoint-echo-sdk', tag);
    changeStack(assembly, 'Endpoint-echo-http', upgrade);
    service = await startService(stateDir, { args: ['--assembly', assembly] });
  }, 240_000);

  it('leaves the release of a service that it does not change', async () => {
    expect(await revisionOf('echo')).toBe('Endpoint-echo:2');
  });

  it('leaves the release and the workers of a service that it changes', async () => {
    expect(await revisionOf('echo-sdk')).toBe('Endpoint-echo-sdk:2');
    expect(service.printed()).toContain('Starting 1 worker of Endpoint-echo-sdk ...');
  });

  it('releases what it has changed of the workers, on top of what there was', async () => {
    expect(await revisionOf('echo-http')).toBe('Endpoint-echo-http:3');
    expect(await told('Endpoint-echo-http:3', 'UPGRADED')).toEqual(['true', undefined]);
  });

  it('has workers of the new revision', async () => {
    const { json } = await submit(service, '{"input":{"prompt":"a"}}', 'echo-http');
    const { json: ended } = await jobIn(service, json.id, 'COMPLETED', undefined, 'echo-http');
    const { ecs, named } = fleet();
    const { cluster } = named('echo-http');
    const { tasks = [] } = await ecs.send(new DescribeTasksCommand({ cluster, tasks: [String(ended.workerId)] }));
    expect(tasks[0]?.taskDefinitionArn).toMatch(/Endpoint-echo-http:3$/);
  });
});
