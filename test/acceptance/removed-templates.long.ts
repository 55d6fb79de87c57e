/**
 * Deletes the files of official templates and endpoints in any order, by restarting `npm start` with the remaining
 * files.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TemplateDeclaration } from '../../lib/templates/declaration.ts';
import { declare } from '../lib/synthesis.ts';
import { assemblyWith } from './added-endpoints.ts';
import { call, jobIn, type LocalService, newStateDir, startService, stopService, submit } from './local-service.ts';

const stateDir = newStateDir();
let service: LocalService;
let starts = 0;

/**
 * Returns a template for the endpoint of the same name. Its workers write a line for each job to the endpoint's
 * volume.
 */
const templateOf = (id: string): TemplateDeclaration => ({
  id: `${id}-template`,
  name: `Template of ${id}`,
  imageName: 'gpu-endpoints/example-echo',
  category: 'CPU',
  containerDiskInGb: 20,
  volumeInGb: 1,
  volumeMountPath: '/workspace',
  env: { EFFECTS_LOG: '/workspace/effects' },
});

/** Restarts the service with these endpoints and templates on the same state. */
async function deploy(endpoints: readonly string[], templates: readonly string[]): Promise<void> {
  starts += 1;
  const assembly = join(stateDir, `assembly-${starts}`);
  const declarations = endpoints.map((id) => declare(id, { image: undefined, template: `${id}-template` }));
  await assemblyWith(assembly, declarations, templates.map(templateOf));
  if (starts > 1) await stopService(service);
  service = await startService(stateDir, { args: ['--assembly', assembly] });
}

const read = (id: string) => call(service, 'GET', `${service.ManagementApiUrl}/templates/${id}-template`);

async function runJob(endpoint: string): Promise<unknown> {
  const { json } = await submit(service, '{"input":{}}', endpoint);
  await jobIn(service, json.id, 'COMPLETED', undefined, endpoint);
  return json.id;
}

/** Returns the ids of the jobs whose workers have written to the endpoint's volume. */
const jobsInVolume = (endpoint: string) =>
  readFileSync(join(stateDir, 'volumes', 'endpoints', endpoint, 'effects'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { job: string }).job);

const GONE = { status: 404, json: { code: 'TEMPLATE_NOT_FOUND' } };
let first: unknown;

beforeAll(async () => {
  await deploy(['file-first', 'endpoint-first', 'together'], ['file-first', 'endpoint-first', 'together']);
  first = await runJob('file-first');
}, 120_000);
afterAll(async () => {
  await stopService(service);
});

describe('a deployment after the first of two files is deleted', () => {
  beforeAll(() => deploy(['file-first'], ['endpoint-first']), 120_000);

  it('withdraws a template whose endpoint still exists, and the endpoint runs jobs', async () => {
    expect(await read('file-first')).toMatchObject({
      status: 200,
      json: { isPlatform: true, withdrawnAt: expect.any(String), endpoints: [{ id: 'file-first' }] },
    });
    await runJob('file-first');
  }, 90_000);

  it('does not withdraw an official template whose endpoint is deleted', async () => {
    const { json } = await read('endpoint-first');
    expect(json).toMatchObject({ isPlatform: true, endpoints: [] });
    expect(json).not.toHaveProperty('withdrawnAt');
  });

  it('deletes a template whose endpoint is deleted at the same time', async () => {
    expect(await read('together')).toMatchObject(GONE);
  });
});

describe('a deployment after the second file is deleted', () => {
  beforeAll(() => deploy([], []), 120_000);

  it.each(['file-first', 'endpoint-first'])('deletes the template of %s', async (id) => {
    expect(await read(id)).toMatchObject(GONE);
  });

  it('answers requests for the endpoint with 404', async () => {
    expect((await submit(service, '{"input":{}}', 'file-first')).status).toBe(404);
  });
});

describe('a deployment after both files are restored', () => {
  beforeAll(() => deploy(['file-first'], ['file-first']), 120_000);

  it('makes the template official again, and the endpoint keeps its files', async () => {
    const again = await runJob('file-first');
    expect((await read('file-first')).json).not.toHaveProperty('withdrawnAt');
    const jobs = jobsInVolume('file-first');
    expect([jobs[0], jobs.at(-1)]).toEqual([first, again]);
  }, 90_000);
});
