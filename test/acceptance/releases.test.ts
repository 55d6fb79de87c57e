/** What an endpoint runs: deployments over releases, by `npm start` again with other stacks, and updates of templates. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DescribeServicesCommand,
  DescribeTaskDefinitionCommand,
  DescribeTasksCommand,
  ECSClient,
} from '@aws-sdk/client-ecs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tag, upgrade } from '../permissions/assemblies.ts';
import { changeStack, copyAssembly } from './assembly.ts';
import { describeBusyRelease } from './busy-release.ts';
import {
  call,
  eventually,
  jobIn,
  type LocalService,
  newStateDir,
  startService,
  stopService,
  submit,
} from './local-service.ts';
import { changeEndpoint } from './moving-fleet.ts';
import { type PlatformTeam, platformTeam, type ToldRelease } from './platform-team.ts';

let service: LocalService;
let team: PlatformTeam;
const stateDir = newStateDir();
const assembly = join(stateDir, 'changed-assembly');
const effects = join(stateDir, 'effects');

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

beforeAll(async () => {
  await copyAssembly(assembly);
  // So that workers go within a minute of their last job.
  for (const endpoint of ['echo', 'echo-http'])
    changeEndpoint(assembly, endpoint, { idleTimeout: 5_000, maxWorkers: 2 }, effects);
  service = await startService(stateDir, { args: ['--assembly', assembly] });
  team = platformTeam(stateDir, () => service);
}, 120_000);
afterAll(async () => {
  await stopService(service);
});

describe('a first deployment', () => {
  it('gives each service the first revision of its family, and no worker', async () => {
    expect(await revisionOf('echo')).toBe('gpu-endpoints-Endpoint-echo:1');
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
    for (const endpoint of ['echo', 'echo-http']) {
      await team.update(endpoint, { env: { RELEASED: 'true' } });
      await eventually(
        `${endpoint} is released`,
        async () => (await revisionOf(endpoint))?.endsWith(':2') || undefined,
      );
    }
    const { json } = await submit(service, '{"input":{"op":"sleep","ms":600000}}');
    long = json.id;
    await jobIn(service, long, 'IN_PROGRESS');
    await stopService(service);
    changeStack(assembly, 'Endpoint-echo', tag);
    changeStack(assembly, 'Endpoint-echo-http', upgrade);
    service = await startService(stateDir, { args: ['--assembly', assembly] });
  }, 240_000);
  let long: unknown;

  it('leaves a service that it does not change', async () => {
    expect(await revisionOf('echo-sdk')).toBe('gpu-endpoints-Endpoint-echo-sdk:1');
  });

  it('leaves the release and the workers of a service that it changes', async () => {
    expect(await revisionOf('echo')).toBe('gpu-endpoints-Endpoint-echo:2');
    expect(await told('gpu-endpoints-Endpoint-echo:2', 'RELEASED')).toEqual([undefined, 'true']);
    expect(service.printed()).toContain('Starting 1 worker of Endpoint-echo ...');
    await call(service, 'POST', `${service.JobApiUrl}/echo/cancel/${long}`);
  });

  it('releases what it has changed of the workers, on top of what there was', async () => {
    expect(await revisionOf('echo-http')).toBe('gpu-endpoints-Endpoint-echo-http:3');
    expect(await told('gpu-endpoints-Endpoint-echo-http:3', 'UPGRADED')).toEqual(['true', undefined]);
    expect(await told('gpu-endpoints-Endpoint-echo-http:3', 'RELEASED')).toEqual([undefined, 'true']);
  });

  it('has workers of the new revision', async () => {
    const { json } = await submit(service, '{"input":{"prompt":"a"}}', 'echo-http');
    const { json: ended } = await jobIn(service, json.id, 'COMPLETED', undefined, 'echo-http');
    const { ecs, named } = fleet();
    const { cluster } = named('echo-http');
    const { tasks = [] } = await ecs.send(new DescribeTasksCommand({ cluster, tasks: [String(ended.workerId)] }));
    expect(tasks[0]?.taskDefinitionArn).toMatch(/Endpoint-echo-http:3$/);
    await team.released('echo-http', 2, 'COMPLETED');
  }, 200_000);
});

/** Submits jobs as long as `during` takes. @returns their ids */
async function underLoad(during: () => Promise<void>): Promise<unknown[]> {
  const submitted: Promise<unknown>[] = [];
  const jobs = setInterval(() => submitted.push(submit(service, '{"input":{}}').then(({ json }) => json.id)), 200);
  try {
    await during();
  } finally {
    clearInterval(jobs);
  }
  return Promise.all(submitted);
}

/** A release is ROLLED_BACK once that is decided; the service follows. */
const runs = (endpoint: string, revision: string) =>
  eventually(`${endpoint} runs ${revision}`, async () => (await revisionOf(endpoint)) === revision || undefined);

describe('an update of a template', () => {
  const away = { imageName: 'registry.example/not-there:1' };
  const exits = { dockerStartCmd: ['/bin/false'] };
  const noImage = 'registry.example/not-there:1 cannot be pulled';

  it('under 5 jobs a second is rolled out, or back if it fails, and no job fails', async () => {
    const { json: template } = await team.call('GET', '/templates/endpoint-echo');
    const jobs = await underLoad(async () => {
      const good = await team.released('echo', await team.update('echo', { env: { RELEASED: 'again' } }), 'COMPLETED');
      const running = `gpu-endpoints-Endpoint-echo:${good.revision}`;
      expect(await revisionOf('echo')).toBe(running);
      const unpulled = await team.released('echo', await team.update('echo', away), 'ROLLED_BACK');
      expect(unpulled.reason).toContain(noImage);
      await runs('echo', running);
      const dead = await team.update('echo', { imageName: template.imageName, ...exits });
      expect((await team.released('echo', dead, 'ROLLED_BACK')).reason).toContain('ended with exit code 1');
      await runs('echo', running);
    });
    expect(jobs.length).toBeGreaterThan(30);
    for (const id of jobs) expect((await jobIn(service, id, 'COMPLETED')).json).toMatchObject({ attempts: 1 });
    const { json } = await team.call('GET', '/templates/endpoint-echo');
    expect(json.endpoints).toMatchObject([{ id: 'echo', release: { state: 'ROLLED_BACK' } }]);
  }, 500_000);

  it('at 0 tasks is rolled back when the first job asks for workers, and the job completes', async () => {
    await eventually(
      'echo-http has no worker',
      async () => (await described('echo-http'))?.runningCount === 0 || undefined,
      {
        within: 150_000,
        every: 500,
      },
    );
    const version = await team.update('echo-http', away);
    await team.released('echo-http', version, 'IN_PROGRESS');
    const { json } = await submit(service, '{"input":{"prompt":"a"}}', 'echo-http');
    expect((await team.released('echo-http', version, 'ROLLED_BACK')).reason).toContain(noImage);
    await jobIn(service, json.id, 'COMPLETED', 100_000, 'echo-http');
    const { json: list } = await team.call('GET', '/endpoints/echo-http/releases');
    const states = (list.releases as ToldRelease[]).map(({ state, revision }) => `${revision} ${state}`);
    expect(states).toEqual(['4 ROLLED_BACK', '3 COMPLETED', '2 SUPERSEDED', '1 SUPERSEDED']);
  }, 400_000);

  it('counts the minutes that its workers ran', async () => {
    const { json } = await team.call('GET', '/templates/endpoint-echo');
    expect(json).toMatchObject({ runtimeInMin: expect.any(Number), earned: 0 });
    expect(json.runtimeInMin).toBeGreaterThan(0);
  });
});

describeBusyRelease({
  endpoint: 'echo',
  workers: 2,
  jobs: 15,
  log: effects,
  service: () => service,
  team: () => team,
});
