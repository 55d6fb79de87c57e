/** Tests which events are sent to EventBridge, over the emulators, and that each is as recorded. */
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { createDocumentClient } from '../../aws/clients.ts';
import { createPublishedMarks } from '../../aws/event-bus/published.ts';
import { portsWith } from '../../aws/ports.ts';
import type { ReleaseRecord } from '../../core/endpoints/release-summary.ts';
import type { BusEvent } from '../../core/event-bus/bus-event.ts';
import { LATE, publishEvents } from '../../core/event-bus/publish.ts';
import type { EndedWorker } from '../../core/history/ended-worker.ts';
import type { EndpointEvent } from '../../core/history/event.ts';
import { DAY, MINUTE, SECOND } from '../../core/limits.ts';
import type { KeyedRelease } from '../../core/releases/history.ts';
import { withConstantSignature } from '../support/constant-signature.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const { clock } = emulated;
const now = () => clock.now();

const { $defs } = JSON.parse(readFileSync('docs/reference/eventbridge.schema.json', 'utf8')) as {
  readonly $defs: Readonly<Record<string, object>>;
};
const ajv = new Ajv2020({ allErrors: true });
formats.default(ajv);
ajv.addSchema({ $defs }, 'events');

function checked(events: readonly BusEvent[]): readonly BusEvent[] {
  for (const { type, detail } of events) {
    const validate = ajv.getSchema(`events#/$defs/${encodeURIComponent(type)}`);
    validate?.(detail);
    expect({ type, detail, errors: validate?.errors }).toEqual({ type, detail, errors: null });
  }
  return events;
}

let sent: BusEvent[] = [];
let releases: KeyedRelease[] = [];
/** Whether EventBridge refuses the next call. */
let isRefused = false;

const portsOf = () =>
  portsWith(emulated.ports, {
    deployment: 'gpu-endpoints',
    publishedMarks: createPublishedMarks(createDocumentClient(withConstantSignature), 'HISTORY_TABLE'),
    history: {
      list: async function* () {
        yield* releases;
      },
    },
    eventBus: {
      async put(events: readonly BusEvent[]) {
        if (isRefused) throw new Error('refused');
        sent.push(...checked(events));
      },
    },
  });

async function publish(endpoint: string): Promise<ReadonlyMap<string, unknown>> {
  const found = await emulated.ports.endpoints.readNow(endpoint);
  return publishEvents(portsOf(), found ? [found] : []);
}
const details = () =>
  sent.map(({ type, detail: { id: _, deployment: __, endpoint: ___, at: ____, ...rest } }) => [type, rest]);
const add = (event: Omit<EndpointEvent, 'at'>) => emulated.ports.eventHistory.add({ ...event, at: now() });

const failed = (endpoint: string, differences: Partial<EndedWorker> = {}): EndedWorker => ({
  ...{
    endpoint,
    worker: 'w1',
    revision: 3,
    capacity: 'FARGATE',
    createdAt: now() - MINUTE,
    pullStartedAt: now() - 30 * SECOND,
  },
  ...{ pullStoppedAt: now() - 20 * SECOND, endedAt: now(), stopCode: 'EssentialContainerExited' },
  ...{ reason: 'Essential container in task exited', container: 'worker', exitCode: 137 },
  ...differences,
});

const release = (state: ReleaseRecord['state'], differences: Partial<ReleaseRecord> = {}): KeyedRelease => ({
  key: '0000000003',
  record: { state, revision: 3, template: 'chat', version: 7, startedAt: now(), ...differences },
});

beforeEach(() => {
  sent = [];
  releases = [];
  isRefused = false;
  clock.advance(DAY);
});

describe('events for EventBridge', () => {
  it('are the conditions and budgets of an endpoint, once each, in their order', async () => {
    await emulated.deploy('eb-rows');
    await add({ endpoint: 'eb-rows', kind: 'CONDITION', to: 'NO_CAPACITY', detail: 'The provider has no capacity.' });
    clock.advance(1);
    await add({ endpoint: 'eb-rows', kind: 'SCALED', from: '0', to: '1' });
    await add({ endpoint: 'eb-rows', kind: 'BUDGET', from: 'WITHIN', to: 'WARNED', detail: '80 %' });
    clock.advance(1);
    await add({ endpoint: 'eb-rows', kind: 'BUDGET', from: 'WARNED', to: 'SPENT', detail: 'all', key: '0123456789ab' });
    expect(await publish('eb-rows')).toEqual(new Map());
    clock.advance(MINUTE);
    await publish('eb-rows');
    await add({ endpoint: 'eb-rows', kind: 'CONDITION', from: 'NO_CAPACITY' });
    await publish('eb-rows');
    await publish('eb-rows');
    expect(details()).toEqual([
      ['Endpoint Condition Changed', { to: 'NO_CAPACITY', message: 'The provider has no capacity.' }],
      ['Endpoint Budget Changed', { from: 'WITHIN', to: 'WARNED', message: '80 %' }],
      ['Endpoint Budget Changed', { from: 'WARNED', to: 'SPENT', message: 'all', key: '0123456789ab' }],
      ['Endpoint Condition Changed', { from: 'NO_CAPACITY' }],
    ]);
    expect(new Set(sent.map(({ detail }) => detail.id)).size).toBe(4);
    expect(sent[0]?.detail).toMatchObject({ deployment: 'gpu-endpoints', endpoint: 'eb-rows' });
  });

  it('are workers that failed, with the stage, the reason and the exit code', async () => {
    await emulated.deploy('eb-worker');
    const { workerHistory } = emulated.ports;
    await workerHistory.save([
      failed('eb-worker'),
      failed('eb-worker', { worker: 'w2', readyAt: now() - SECOND, exitCode: 1 }),
      failed('eb-worker', { worker: 'w3', exitCode: 0 }),
      failed('eb-worker', { worker: 'w4', stopCode: 'ServiceSchedulerInitiated', reason: 'Scaling activity' }),
      failed('eb-worker', {
        worker: 'w5',
        stopCode: 'ServiceSchedulerInitiated',
        reason: 'failed container health checks',
      }),
      failed('eb-worker', { worker: 'w6', stopCode: 'SpotInterruption' }),
      failed('eb-worker', {
        worker: 'w7',
        stopCode: 'TaskFailedToStart',
        exitCode: undefined,
        pullStoppedAt: undefined,
      }),
    ]);
    await publish('eb-worker');
    expect(sent.map(({ detail: { worker, stage } }) => [worker, stage])).toEqual([
      ['w1', 'WORKER'],
      ['w2', 'READY'],
      ['w5', 'WORKER'],
      ['w7', 'IMAGE'],
    ]);
    expect(sent[0]?.detail).toMatchObject({ revision: 3, container: 'worker', exitCode: 137, capacity: 'FARGATE' });
  });

  it('are the begin and the end of releases, with who changed the template', async () => {
    await emulated.deploy('eb-release');
    const by = { kind: 'user', id: 'u1', name: 'Ada' } as const;
    await add({ endpoint: 'eb-release', kind: 'TEMPLATE', template: 'chat', version: 7, fields: ['env'], by });
    releases = [release('IN_PROGRESS')];
    await publish('eb-release');
    const startedAt = now();
    clock.advance(10 * MINUTE);
    releases = [release('ROLLED_BACK', { startedAt, endedAt: now(), reason: 'An image cannot be pulled.' })];
    await publish('eb-release');
    await publish('eb-release');
    const same = { template: 'chat', version: 7, revision: 3, by };
    expect(details()).toEqual([
      ['Endpoint Release Changed', { to: 'IN_PROGRESS', ...same }],
      [
        'Endpoint Release Changed',
        { from: 'IN_PROGRESS', to: 'ROLLED_BACK', ...same, message: 'An image cannot be pulled.' },
      ],
    ]);
  });

  it('are sent again with the same ids if EventBridge or the process fails', async () => {
    await emulated.deploy('eb-again');
    await add({ endpoint: 'eb-again', kind: 'BUDGET', from: 'WITHIN', to: 'SPENT', detail: 'all' });
    isRefused = true;
    expect([...(await publish('eb-again')).keys()]).toEqual(['eb-again']);
    isRefused = false;
    const ports = portsOf();
    const crashing = portsWith(ports, {
      publishedMarks: { ...ports.publishedMarks, save: () => Promise.reject(new Error('crash')) },
    });
    const endpoint = await emulated.ports.endpoints.readNow('eb-again');
    if (!endpoint) throw new Error('The endpoint does not exist.');
    await publishEvents(crashing, [endpoint]);
    clock.advance(MINUTE);
    await publish('eb-again');
    await publish('eb-again');
    const [first, second] = sent;
    expect(sent).toHaveLength(2);
    expect(second?.detail).toEqual(first?.detail);
  });

  it('are those that were stored late, up to a quarter of an hour', async () => {
    await emulated.deploy('eb-late');
    await add({ endpoint: 'eb-late', kind: 'BUDGET', from: 'WITHIN', to: 'WARNED', detail: '80 %' });
    await publish('eb-late');
    for (const [worker, age] of [
      ['w1', LATE - MINUTE],
      ['w2', LATE + MINUTE],
    ] as const)
      await emulated.ports.workerHistory.save([failed('eb-late', { worker, endedAt: now() - age })]);
    await publish('eb-late');
    expect(sent.map(({ detail }) => detail.worker)).toEqual([undefined, 'w1']);
  });
});
