/** Tests the events of endpoints, from what changes them to their list. */
import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createDocumentClient } from '../../aws/clients.ts';
import { createEventHistory } from '../../aws/history/history.ts';
import { portsWith } from '../../aws/ports.ts';
import { createReleaseHistory } from '../../aws/releases/history.ts';
import { createTemplatePorts } from '../../aws/templates/ports.ts';
import { zeroCounters } from '../../core/endpoints/counts.ts';
import type { ReleaseRecord } from '../../core/endpoints/release-summary.ts';
import { scale } from '../../core/fleet/scale.ts';
import type { EndpointEvent, EventCaller } from '../../core/history/event.ts';
import { historyLimits } from '../../core/history/limits.ts';
import { type ListEventsRequest, listEvents } from '../../core/history/list-events.ts';
import { eventCallerOf, eventsOfFleet } from '../../core/history/record-event.ts';
import { purgeAs } from '../../core/jobs/purge-queue.ts';
import { backOffLimits, DAY, HOUR, MINUTE, SECOND } from '../../core/limits.ts';
import { resumeAs } from '../../core/management/resume.ts';
import { keyOf } from '../../core/releases/history.ts';
import { EndpointNotFound, InvalidRequest } from '../../core/requests/errors.ts';
import { associate } from '../../core/templates/associate.ts';
import type { TemplatePorts } from '../../core/templates/store.ts';
import { declaredFields, templateSettingsSchema } from '../../core/templates/template.ts';
import { update } from '../../core/templates/update.ts';
import { type Fact, saveFact } from '../../core/workers/apply-facts.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { templateOf } from '../templates/settings.ts';

const emulated = useEmulatedDeployment();
const { clock } = emulated;
const ada: EventCaller = { kind: 'user', id: 'sub-1', name: 'ada' };
const ci = { kind: 'key', id: '0a1b2c3d4e5f', name: 'ci' } as const satisfies EventCaller;
const CANARY = 'canary-5d1e';

let ports: typeof emulated.ports & { readonly history: ReturnType<typeof createReleaseHistory> };

beforeAll(() => {
  const history = createReleaseHistory(createDocumentClient(), 'RELEASES_TABLE', clock);
  ports = portsWith(emulated.ports, { history });
});
beforeEach(() => clock.advance(MINUTE));

const list = (endpoint: string, request: Partial<ListEventsRequest> = {}) =>
  listEvents(ports, { endpoint, ...request });
const eventsOf = async (endpoint: string, request: Partial<ListEventsRequest> = {}) =>
  (await list(endpoint, request)).events;
const iso = (time: number) => new Date(time).toISOString();

/** A fact at the present time, a second after the last one. */
function happens(endpoint: string, fact: object) {
  clock.advance(SECOND);
  return saveFact(ports, endpoint, { ...fact, at: clock.now() } as Fact);
}

const fails = (endpoint: string, task: string, detail = 'exit code 1') =>
  happens(endpoint, { is: 'failed', blocker: 'WORKER_EXITS', detail, task });

const releases = (endpoint: string, revision: number, record: Partial<ReleaseRecord>) =>
  ports.history.end(endpoint, {
    key: keyOf(revision),
    record: { state: 'COMPLETED', revision, template: 'official', version: revision, startedAt: 0, ...record },
  });

describe('a condition of an endpoint', () => {
  it('is an event when it begins, changes and ends, with its message', async () => {
    await emulated.deploy('ev-a');
    const none = 'no instance has room';
    await happens('ev-a', { is: 'failed', blocker: 'NO_CAPACITY', detail: none });
    await happens('ev-a', { is: 'failed', blocker: 'NO_CAPACITY', detail: `still ${none}` });
    await happens('ev-a', { is: 'placed', task: 't1' });
    await happens('ev-a', { is: 'ready', task: 't1' });
    const detail = expect.stringContaining(none);
    expect(await eventsOf('ev-a')).toEqual([
      {
        kind: 'CONDITION',
        at: iso(clock.now() - SECOND),
        from: 'NO_CAPACITY',
        to: 'STARTING',
        detail: expect.any(String),
      },
      { kind: 'CONDITION', at: iso(clock.now() - 3 * SECOND), to: 'NO_CAPACITY', detail },
    ]);
  });

  it('is no event if a worker starts and becomes ready', async () => {
    await emulated.deploy('ev-b');
    await happens('ev-b', { is: 'placed', task: 't1' });
    await happens('ev-b', { is: 'running', task: 't1' });
    await happens('ev-b', { is: 'ready', task: 't1' });
    expect(await eventsOf('ev-b')).toEqual([]);
  });

  it('is followed by the begin and the end of a back-off', async () => {
    await emulated.deploy('ev-c');
    for (let n = 0; n < backOffLimits.failures; n += 1) await fails('ev-c', `t${n}`);
    await happens('ev-c', { is: 'ready', task: 'late' });
    expect((await eventsOf('ev-c', { kind: 'BACK_OFF' })).map(({ to, detail }) => [to, detail])).toEqual([
      ['OFF', undefined],
      ['ON', expect.stringContaining('exit code 1')],
    ]);
  });

  it('changes although its event cannot be stored, which is logged', async () => {
    await emulated.deploy('ev-d');
    const logged = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const missing = createEventHistory(createDocumentClient(), { table: 'NO_TABLE', days: 30 }, clock);
    clock.advance(SECOND);
    const fact = { is: 'failed', blocker: 'QUOTA', detail: 'L-1', at: clock.now() } as const;
    await saveFact(portsWith(ports, { eventHistory: missing }), 'ev-d', fact);
    expect((await ports.endpoints.readNow('ev-d'))?.fleet.condition?.is).toBe('QUOTA');
    expect(logged).toHaveBeenCalledWith(expect.objectContaining({ endpoint: 'ev-d', kind: 'CONDITION' }));
    logged.mockRestore();
  });

  it('is not stored if the deployment keeps no history', async () => {
    const none = createEventHistory(createDocumentClient(), { table: 'NO_TABLE', days: 0 }, clock);
    const logged = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    await none.add({ endpoint: 'ev-d', kind: 'RESUME', at: clock.now() });
    expect(logged).not.toHaveBeenCalled();
    logged.mockRestore();
  });
});

describe('the number of workers', () => {
  it('is an event when it changes, and only then', async () => {
    await emulated.deploy('ev-e', { maxWorkers: 3 });
    const scaled = portsWith(ports, { services: recordServices() });
    await scale(scaled, 'ev-e', 'up');
    const delta = { ...zeroCounters, inQueue: 2 };
    await ports.ledger.add('ev-e#0', [{ sequence: '1'.padStart(40, '0'), delta, arrivals: {} }]);
    await scale(scaled, 'ev-e', 'up');
    await scale(scaled, 'ev-e', 'up');
    expect(await eventsOf('ev-e')).toEqual([{ kind: 'SCALED', at: iso(clock.now()), from: '0', to: '2' }]);
  });
});

describe('calls of operations', () => {
  it('are events of a purge and a resume, with the callers', async () => {
    await emulated.deploy('ev-f');
    const counted = { mark: async () => undefined, readLedger: async () => ({ removed: 7, isComplete: true }) };
    const purgeCounts = { ...counted, countStored: async () => 7 };
    expect(await purgeAs(portsWith(ports, { purgeCounts }), 'ev-f', ci)).toEqual({ removed: 7, status: 'completed' });
    clock.advance(SECOND);
    await resumeAs(ports, 'ev-f', ada);
    expect(await eventsOf('ev-f')).toEqual([
      { kind: 'RESUME', at: iso(clock.now()), by: ada },
      { kind: 'PURGE', at: expect.any(String), jobs: 7, by: ci },
    ]);
  });

  it('are events of changes of a template, with the names of its fields and without their values', async () => {
    await emulated.deploy('ev-g');
    const {
      name: _,
      category: __,
      isPublic: ___,
      isServerless: ____,
      ...carried
    } = templateSettingsSchema.parse(templateOf({ env: { MODE: 'slow' } }));
    const templates: TemplatePorts = {
      ...createTemplatePorts({ clock }),
      vault: { find: async () => 'arn' },
      isDeclaredLocked: false,
      earnedPerMinute: 0,
    };
    const place = { category: 'CPU', largestDiskInGb: 200, imageRepositories: [] } as const;
    const { template } = await associate(templates, { endpoint: 'ev-g', place, template: { carried } });
    const change = (body: object) =>
      update(templates, {
        owner: 'platform',
        scopes: ['templates:write', 'templates:secrets'],
        by: ci,
        template,
        body: JSON.stringify(body),
      });
    await change({ readme: 'Another text.' });
    clock.advance(SECOND);
    await change({ env: { MODE: CANARY } });
    const events = await eventsOf('ev-g');
    expect(events).toEqual([{ kind: 'TEMPLATE', at: iso(clock.now()), template, version: 2, fields: ['env'], by: ci }]);
    expect(JSON.stringify(events)).not.toContain(CANARY);
  });
});

describe('releases', () => {
  it('are events of their begin and their end, among the other events', async () => {
    await emulated.deploy('ev-h');
    const start = clock.now();
    await releases('ev-h', 1, { startedAt: start - 3 * DAY, endedAt: start - HOUR });
    await releases('ev-h', 2, {
      startedAt: start,
      endedAt: start + 2 * SECOND,
      state: 'ROLLED_BACK',
      reason: 'exit 1',
    });
    await fails('ev-h', 't1');
    clock.advance(MINUTE);
    const release = { kind: 'RELEASE', template: 'official' };
    const [rollback, condition, ...others] = await eventsOf('ev-h');
    expect(rollback).toEqual({
      ...release,
      ...{
        at: iso(start + 2 * SECOND),
        from: 'IN_PROGRESS',
        to: 'ROLLED_BACK',
        revision: 2,
        version: 2,
        detail: 'exit 1',
      },
    });
    expect(condition).toMatchObject({ kind: 'CONDITION', at: iso(start + SECOND) });
    expect(others).toEqual([
      { ...release, at: iso(start), to: 'IN_PROGRESS', revision: 2, version: 2 },
      { ...release, at: iso(start - HOUR), from: 'IN_PROGRESS', to: 'COMPLETED', revision: 1, version: 1 },
    ]);
    expect((await eventsOf('ev-h', { kind: 'RELEASE' })).map(({ kind }) => kind)).toEqual(Array(3).fill('RELEASE'));
    expect((await eventsOf('ev-h', { kind: 'PURGE,CONDITION' })).map(({ kind }) => kind)).toEqual(['CONDITION']);
  });
});

describe('a release', () => {
  it('has the caller of the change of its template, and none if it follows a deployment', async () => {
    await emulated.deploy('ev-l');
    const at = clock.now();
    const changed = { endpoint: 'ev-l', kind: 'TEMPLATE', at, template: 'official', version: 2, by: ci } as const;
    await ports.eventHistory.add(changed);
    await releases('ev-l', 2, { startedAt: at + SECOND, endedAt: at + MINUTE });
    await releases('ev-l', 3, { startedAt: at + DAY, endedAt: at + DAY + SECOND, version: 2 });
    clock.advance(DAY + MINUTE);
    // The change is before the range.
    const since = iso(at + 1);
    expect((await eventsOf('ev-l', { since })).map(({ kind, to, by }) => [kind, to, by])).toEqual([
      ['RELEASE', 'COMPLETED', undefined],
      ['RELEASE', 'IN_PROGRESS', undefined],
      ['RELEASE', 'COMPLETED', undefined],
      ['RELEASE', 'IN_PROGRESS', ci],
    ]);
    expect((await list('ev-l', { since, kind: 'RELEASE', limit: '3' })).readTo).toBe(iso(at + MINUTE));
  });
});

describe('the list of events', () => {
  it('has each event once over its pages, newest first', async () => {
    await emulated.deploy('ev-i');
    const start = clock.now();
    for (let revision = 1; revision <= 3; revision += 1) {
      await resumeAs(ports, 'ev-i', ada);
      clock.advance(SECOND);
      const startedAt = clock.now();
      await releases('ev-i', revision, { startedAt, endedAt: startedAt + 1 });
      clock.advance(SECOND);
    }
    const found: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await list('ev-i', { limit: '2', since: iso(start), cursor });
      found.push(...page.events.map(({ kind, at, to }) => [kind, Date.parse(at) - start, to].join(' ')));
      cursor = page.nextCursor;
      pages += 1;
    } while (cursor !== undefined);
    const round = (at: number) => [
      `RELEASE ${at + 1_001} COMPLETED`,
      `RELEASE ${at + 1_000} IN_PROGRESS`,
      `RESUME ${at} `,
    ];
    expect(found).toEqual([4_000, 2_000, 0].flatMap(round));
    expect(pages).toBe(5);
  });

  it('is read a bounded number of rows at a time, and says how far', async () => {
    await emulated.deploy('ev-j');
    const at = clock.now();
    const reached = `${at}#RESUME`;
    const rows = [{ endpoint: 'ev-j', kind: 'RESUME', at } as const];
    const eventHistory = { read: async () => ({ rows, reached }) };
    await releases('ev-j', 1, { startedAt: at - HOUR, endedAt: at - MINUTE });
    const { events, readTo, nextCursor } = await listEvents({ ...ports, eventHistory }, { endpoint: 'ev-j' });
    expect(events.map(({ kind }) => kind)).toEqual(['RESUME']);
    expect(readTo).toBe(iso(at));
    expect(nextCursor).toBeDefined();
  });

  it('is refused for an unknown endpoint and invalid parameters', async () => {
    await expect(list('none')).rejects.toThrow(EndpointNotFound);
    await emulated.deploy('ev-k');
    await expect(list('ev-k', { kind: 'NOTHING' })).rejects.toThrow(InvalidRequest);
    await expect(list('ev-k', { since: 'x' })).rejects.toThrow(InvalidRequest);
    await expect(list('ev-k', { cursor: 'x' })).rejects.toThrow(InvalidRequest);
  });
});

describe('a row of an event', () => {
  it('has at most 1 KB with the longest values', () => {
    const name = 'é'.repeat(1_000);
    const condition = { is: 'NO_CAPACITY', words: name, since: 0, at: 0 } as const;
    const fleet = { version: 0, failed: [], freshSince: 0 };
    const [event] = eventsOfFleet('e'.repeat(64), fleet, { ...fleet, condition }, clock.now());
    const longest: EndpointEvent = {
      ...(event as EndpointEvent),
      by: eventCallerOf({ kind: 'user', id: 'a'.repeat(36), name }),
      template: 'e'.repeat(80),
      version: 1_000_000_000,
      fields: [...declaredFields],
    };
    expect(Buffer.byteLength(JSON.stringify(longest))).toBeLessThan(1_000);
    expect(Buffer.byteLength(longest.detail ?? '')).toBeLessThanOrEqual(historyLimits.eventDetail);
  });
});
