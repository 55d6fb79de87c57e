/**
 * Tests an endpoint whose file changes its capacity and then changes it back, by restarting `npm start` with
 * changed stacks.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DescribeServicesCommand, DescribeTaskDefinitionCommand, ECSClient } from '@aws-sdk/client-ecs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EndpointDeclaration } from '../../lib/endpoints/declaration.ts';
import { declare } from '../lib/synthesis.ts';
import { assemblyWith } from './added-endpoints.ts';
import {
  call,
  eventually,
  holdingFile,
  jobIn,
  type LocalService,
  newStateDir,
  startService,
  stopService,
  submit,
} from './local-service.ts';
import { operatorSettings } from './operator.ts';

const ENDPOINT = 'moving';
const stateDir = newStateDir();
let service: LocalService;

const onFargate = declare(ENDPOINT, { image: 'gpu-endpoints/example-echo', cpu: 1024, memory: 2048 });
const onPool = declare(ENDPOINT, { image: 'gpu-endpoints/example-echo', capacity: 'nvidia' });

/** Starts the service with this declaration of the endpoint. */
async function start(declaration: EndpointDeclaration): Promise<void> {
  const assembly = join(stateDir, `assembly-${declaration.capacity}`);
  await assemblyWith(assembly, [declaration]);
  service = await startService(stateDir, { args: ['--assembly', assembly] });
}

/** Returns the revision that the service runs, and its capacity. */
async function serviceInEcs() {
  const ecs = new ECSClient(operatorSettings(stateDir));
  const names = Object.keys(JSON.parse(readFileSync(join(stateDir, 'services.json'), 'utf8')) as object);
  const [, cluster = '', name = ''] = names.find((arn) => arn.includes(`/Endpoint-${ENDPOINT}-`))?.split('/') ?? [];
  const { services = [] } = await ecs.send(new DescribeServicesCommand({ cluster, services: [name] }));
  const { taskDefinition = '', capacityProviderStrategy = [] } = services[0] ?? {};
  const revision = await ecs.send(new DescribeTaskDefinitionCommand({ taskDefinition }));
  return {
    revision: taskDefinition.split('/').at(-1),
    provider: capacityProviderStrategy[0]?.capacityProvider,
    runsOn: revision.taskDefinition?.requiresCompatibilities,
  };
}

interface ListedRelease {
  readonly revision: number;
  readonly state: string;
}

const releases = async (): Promise<ListedRelease[]> => {
  const { json } = await call(service, 'GET', `${service.ManagementApiUrl}/endpoints/${ENDPOINT}/releases`);
  return json.releases as ListedRelease[];
};

const completed = (revision: number) =>
  eventually(
    `release ${revision} is COMPLETED`,
    async () =>
      (await releases()).some((each) => each.revision === revision && each.state === 'COMPLETED') || undefined,
    { within: 120_000 },
  );

beforeAll(() => start(onFargate), 180_000);
afterAll(() => stopService(service));

describe('an endpoint that is moved to another capacity and back', () => {
  it('initially runs on Fargate', async () => {
    const { json } = await submit(service, '{"input":{}}', ENDPOINT);
    await jobIn(service, json.id, 'COMPLETED', undefined, ENDPOINT);
    expect(await serviceInEcs()).toEqual({
      revision: `gpu-endpoints-Endpoint-${ENDPOINT}:1`,
      provider: 'FARGATE',
      runsOn: ['FARGATE'],
    });
  }, 60_000);

  it.each([
    ['to a pool of instances', onPool, 2, expect.stringContaining('Poolnvidia'), ['EC2']],
    ['back to Fargate', onFargate, 3, 'FARGATE', ['FARGATE']],
  ] as const)(
    'completes the jobs that run or wait when it is moved %s',
    async (_, declaration, n, provider, runsOn) => {
      const { until, release } = holdingFile();
      const running = await submit(service, JSON.stringify({ input: { op: 'sleep', ms: 0, until } }), ENDPOINT);
      await jobIn(service, running.json.id, 'IN_PROGRESS', undefined, ENDPOINT);
      const waiting = await submit(service, '{"input":{"n":1}}', ENDPOINT);
      await stopService(service);
      release();
      await start(declaration);
      expect(await serviceInEcs()).toEqual({ revision: `gpu-endpoints-Endpoint-${ENDPOINT}:${n}`, provider, runsOn });
      for (const { json } of [running, waiting]) await jobIn(service, json.id, 'COMPLETED', 90_000, ENDPOINT);
      await completed(n);
      // Each move causes one release.
      expect((await releases()).map(({ revision }) => revision)).toEqual(Array.from({ length: n }, (__, at) => n - at));
    },
    300_000,
  );
});
