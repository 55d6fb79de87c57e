/** Restores and uses all items of each recording, except jobs (docs/adr/0016). */
import { Buffer } from 'node:buffer';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTemplatePorts } from '../../aws/templates/ports.ts';
import { authorize } from '../../core/authorizer/authorize.ts';
import { newSecret } from '../../core/keys/client-keys.ts';
import { ENDPOINT_CACHE } from '../../core/limits.ts';
import { releases } from '../../core/management/releases.ts';
import { associate, dissociate } from '../../core/templates/associate.ts';
import { declare } from '../../core/templates/declare.ts';
import { list } from '../../core/templates/list.ts';
import { read } from '../../core/templates/read.ts';
import type { TemplatePorts } from '../../core/templates/store.ts';
import { templateSettingsSchema } from '../../core/templates/template.ts';
import { update } from '../../core/templates/update.ts';
import { saveFact } from '../../core/workers/apply-facts.ts';
import { sharedEmulators } from '../runner/emulators.ts';
import { DRAINED, ENDPOINT, KEY_BYTES } from './history.ts';
import { readRecording, recordings, restore } from './recording.ts';
import { type Stage, startStage } from './stage.ts';

let stage: Stage;
let templatePorts: TemplatePorts;

async function endpointNow() {
  const endpoint = await stage.ports.endpoints.readNow(ENDPOINT);
  if (!endpoint) throw new Error('The endpoint does not exist.');
  return endpoint;
}

describe.each(recordings())('the restored recording %s', (recorded) => {
  beforeAll(async () => {
    const recording = readRecording(recorded);
    stage = await startStage({ now: recording.now, past: 200 });
    const { normalQueueUrls } = await stage.emulated.deploy(ENDPOINT);
    await restore(recording, sharedEmulators().sqsUrl, normalQueueUrls[1]);
    stage.emulated.clock.advance(ENDPOINT_CACHE);
    const { endpoints } = stage.ports;
    templatePorts = {
      ...createTemplatePorts({ clock: stage.emulated.clock }),
      endpoints,
      vault: { find: async () => 'arn' },
    };
  }, 60_000);
  afterAll(() => stage.stop());

  it.each(['full', 'minimal'] as const)('accepts its API key: %s', async (name) => {
    const secret = newSecret(new Uint8Array(Buffer.alloc(64, KEY_BYTES[name])));
    const asked = { authorization: `Bearer ${secret}`, operation: 'run', endpoint: ENDPOINT } as const;
    const { caller } = await authorize(stage.ports, asked);
    const scopes = name === 'full' ? ['templates:read', 'templates:write'] : [];
    expect(caller).toMatchObject({ name, owner: 'ada', endpoints: [ENDPOINT], scopes });
    const names = (await stage.ports.keys.list()).map((each) => each.name);
    expect(new Set(names)).toEqual(new Set(['full', 'minimal']));
  });

  it('contains the endpoint with its registered settings and the facts of later events', async () => {
    expect(await endpointNow()).toMatchObject({
      template: 'official',
      pinTemplate: 1,
      owner: 'ada',
      largestDiskInGb: 200,
      concurrency: 2,
      generation: 1,
      desiredWorkers: 3,
      fleet: { condition: { is: 'IMAGE_UNAVAILABLE' }, failed: [{ task: 't1', revision: 3 }] },
      release: { state: 'COMPLETED', proven: true, template: { id: 'official', version: 1 } },
      reconciliation: { auditedAt: expect.any(Number) },
      countedEnds: { ended: 3, failed: 1 },
    });
    expect(await stage.ports.endpoints.readNow(DRAINED)).toMatchObject({ streamEnvelope: true, generation: 0 });
  });

  it('allows the endpoint to be registered, scaled and released again, and stores later events', async () => {
    const { endpoints } = stage.ports;
    const before = await endpointNow();
    const { release } = before;
    if (!release) throw new Error('The endpoint has no release.');
    expect(await endpoints.setRelease(ENDPOINT, release, { ...release, state: 'IN_PROGRESS' })).toBe(true);
    expect(await endpoints.setDesired(ENDPOINT, 3, 1)).toBe(true);
    await saveFact(stage.ports, ENDPOINT, { is: 'ready', task: 't2', revision: 3, at: stage.ports.clock.now() });
    expect(await endpoints.saveReconciliation(before, { auditedAt: stage.ports.clock.now() })).toBe(true);
    expect(await endpoints.saveCountedEnds(before, { ended: 4, failed: 1 })).toBe(true);
    expect(await endpoints.raiseGeneration(ENDPOINT, 1)).toBe(true);
    const after = await endpointNow();
    expect(after).toMatchObject({ desiredWorkers: 1, generation: 2, release: { state: 'IN_PROGRESS' } });
    expect(after.fleet.condition).toBeUndefined();
  });

  it('lists the releases', async () => {
    const { endpoints } = stage.ports;
    const { releases: listed } = await releases({ endpoints, history: stage.releases }, { endpoint: ENDPOINT });
    expect(listed).toMatchObject([
      { state: 'IN_PROGRESS', revision: 3, version: 1 },
      { state: 'ROLLED_BACK', reason: 'An image cannot be pulled.' },
    ]);
  });

  it('reads and lists templates, with the endpoints that use them and the run time of their workers', async () => {
    const { templates } = await list(templatePorts, { owner: 'ada' });
    expect(templates.map(({ id }) => id)).toEqual(['made', 'official', 'withdrawn']);
    const show = (template: string) => read(templatePorts, { owner: 'ada', permitted: ['*'], template });
    expect(await show('made')).toMatchObject({ containerRegistryAuthId: 'team', runtimeInMin: 2, endpoints: [] });
    expect(await show('official')).toMatchObject({
      ports: ['80/http'],
      isPlatform: true,
      endpoints: [{ id: ENDPOINT }],
    });
    expect(await show('withdrawn')).toMatchObject({ withdrawnAt: expect.any(String), endpoints: [{ id: ENDPOINT }] });
  });

  it('changes templates, keeps pinned versions, and deletes a withdrawn one with its last endpoint', async () => {
    const { declared } = stage;
    const changed = {
      owner: 'ada',
      scopes: ['templates:write'],
      by: { kind: 'key', id: '0a1b2c', name: 'ci' } as const,
      template: 'made',
      body: '{"imageName":"team/worker:2"}',
    };
    expect(await update(templatePorts, changed)).toMatchObject({ imageName: 'team/worker:2', version: 2 });
    const official = await declared.templates.read('official');
    const settings = templateSettingsSchema.parse(official);
    await declare(declared, 'official', { ...settings, imageName: 'team/worker:3' });
    const place = { category: 'CPU', largestDiskInGb: 200, imageRepositories: [] } as const;
    await associate(declared, { endpoint: ENDPOINT, place, template: { named: 'Official', pin: 1 } });
    expect(await declared.templates.pinned(ENDPOINT, 'official', 1)).toMatchObject({ imageName: 'team/worker:1.2' });
    await dissociate(declared, ENDPOINT, 'withdrawn');
    expect(await declared.templates.read('withdrawn')).toBeUndefined();
    await dissociate(declared, DRAINED, `endpoint-${DRAINED}`);
    expect(await declared.templates.read(`endpoint-${DRAINED}`)).toBeUndefined();
  });

  it('signs webhooks with the stored secrets, and with a new one', async () => {
    const before = await stage.webhookSecrets.currentNow(ENDPOINT);
    expect(before).toHaveLength(2);
    const after = await stage.webhookSecrets.rotate(ENDPOINT);
    expect(after.slice(1).map(({ secret }) => secret)).toEqual(before.map(({ secret }) => secret));
  });
});
