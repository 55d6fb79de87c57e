/** Tests that workers pull images from the caches of the Region, those of files and those of updates by clients. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { jobIn, type LocalService, newStateDir, startService, stopService, submit } from './local-service.ts';
import { type PlatformTeam, platformTeam } from './platform-team.ts';
import { serviceRevisions } from './service-revisions.ts';

const stateDir = newStateDir();
const declarations = join(stateDir, 'declarations');
const { imagesIn, revisionOf } = serviceRevisions(stateDir);
let service: LocalService;
let team: PlatformTeam;

/** The images have the same program, which the laptop runs instead of them. */
const image = { command: ['node', 'examples/echo/main.ts'] };
const login = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:ecr-pullthroughcache/login-AbCdEf';

const files = {
  'endpoints/team.yaml': { image: 'ghcr.io/team/worker:1' },
  'environments/dev.yaml': { imageCaches: { dockerHub: login, ghcr: login } },
  'images.yaml': { 'ghcr.io/team/worker:1': image, 'team/worker:2': image },
};

beforeAll(async () => {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(join(declarations, file, '..'), { recursive: true });
    writeFileSync(join(declarations, file), stringify(content));
  }
  const env = { DECLARATIONS: declarations, LOCAL_IMAGES: join(declarations, 'images.yaml') };
  service = await startService(stateDir, { args: ['-c', 'environment=dev'], env });
  team = platformTeam(stateDir, () => service);
}, 120_000);
afterAll(() => stopService(service));

async function runsOn(cached: string): Promise<void> {
  const { json } = await submit(service, '{"input":{}}', 'team');
  await jobIn(service, json.id, 'COMPLETED', 60_000, 'team');
  const host = /^\d{12}\.dkr\.ecr\.us-east-1\.amazonaws\.com\/gpu-endpoints\//;
  const images = await imagesIn((await revisionOf('team')) ?? '');
  expect(images.filter((name) => host.test(name ?? '')).map((name) => name?.replace(host, ''))).toEqual([cached]);
}

it('runs the image of an endpoint file from the cache of its registry', async () => {
  await runsOn('ghcr.io/team/worker:1');
  expect((await team.call('GET', '/templates/endpoint-team')).json.imageName).toBe('ghcr.io/team/worker:1');
}, 120_000);

it('runs the image of an update by a client from the cache of another registry', async () => {
  const version = await team.update('team', { imageName: 'team/worker:2' });
  await team.released('team', version, 'COMPLETED');
  await runsOn('docker.io/team/worker:2');
}, 240_000);
