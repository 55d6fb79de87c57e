import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MINUTE, PROTECTION } from '../../core/limits.ts';
import type { Lease, Workers } from '../../core/workers/lease.ts';
import { createProtection, type Protection } from '../../worker/agent/protection.ts';
import { MovedClock } from '../support/emulated-deployment.ts';
import { forever, IDLE_TIMEOUT } from './agents.ts';
import { agents, emulated, useEmulatedAgents } from './emulated-agents.ts';

type Answer = readonly [status: number, body: unknown];

const granted = (enabled: boolean): Answer => [200, { protection: { ProtectionEnabled: enabled } }];
const refused: Answer = [200, { failure: { Reason: 'DEPLOYMENT_BLOCKED' } }];

/** The requests to the ECS agent endpoint, and its response. */
let asked: {
  method: string | undefined;
  url: string | undefined;
  body: { ProtectionEnabled: boolean; ExpiresInMinutes?: number };
}[];
let answer: (enabled: boolean) => Promise<Answer> | Answer;
let ecs: Server;
let uri: string;

beforeAll(async () => {
  ecs = createServer(async (request, response) => {
    if (request.method === 'GET') return response.end();
    const body = JSON.parse(await text(request));
    asked.push({ method: request.method, url: request.url, body });
    const [status, reply] = await answer(body.ProtectionEnabled);
    response.writeHead(status).end(JSON.stringify(reply));
  }).listen(0, '127.0.0.1');
  await once(ecs, 'listening');
  uri = `http://127.0.0.1:${(ecs.address() as AddressInfo).port}/api/1`;
});
beforeEach(() => {
  asked = [];
  answer = granted;
});
afterAll(() => void ecs.close().closeAllConnections());

const asks = () => asked.map(({ body }) => body.ProtectionEnabled);

describe('protection from scale-in', () => {
  let clock: MovedClock;
  let errors: unknown[];
  let protection: Protection;
  beforeEach(() => {
    clock = new MovedClock();
    errors = [];
    protection = createProtection({ uri, clock, onError: (error) => errors.push(error) });
  });

  it('is requested once for many takes', async () => {
    await protection.protect();
    await protection.protect();
    const body = { ProtectionEnabled: true, ExpiresInMinutes: PROTECTION / MINUTE };
    expect(asked).toEqual([{ method: 'PUT', url: '/api/1/task-protection/v1/state', body }]);
  });

  it('keeps its start time, however often it is renewed', async () => {
    expect(protection.since()).toBeUndefined();
    const begin = clock.now();
    await protection.protect();
    clock.advance(PROTECTION - 1);
    await protection.protect();
    expect(asks()).toEqual([true, true]);
    expect(protection.since()).toBe(begin);
    await protection.keep(false);
    expect(protection.since()).toBeUndefined();
  });

  it('is renewed in time while it is wanted', async () => {
    await protection.protect();
    for (let minutes = 0; minutes < 30; minutes += 1) {
      clock.advance(MINUTE);
      await protection.keep(true);
    }
    expect(asks()).toEqual(Array(1 + 30 / 5).fill(true));
  });

  it('is removed once, and only if the worker has it', async () => {
    await protection.keep(false);
    await protection.keep(true);
    expect(asks()).toEqual([]);
    await protection.protect();
    await protection.keep(false);
    await protection.keep(false);
    expect(asks()).toEqual([true, false]);
  });

  it.each<[string, Answer]>([
    ['ECS refuses it with status 200', refused],
    ['the call fails', [500, { error: { Code: 'ServerException' } }]],
    ['the response shows that it is off', granted(false)],
  ])('is missing if %s', async (_, reply) => {
    answer = () => reply;
    await expect(protection.protect()).rejects.toThrow(JSON.stringify(reply[1]));
    answer = granted;
    await protection.protect();
    expect(asks()).toEqual([true, true]);
  });

  it('is requested again after a failed call to remove it, because that call may have succeeded', async () => {
    await protection.protect();
    answer = () => [500, {}];
    await protection.keep(false);
    expect(errors).toHaveLength(1);
    // The worker pauses, so that it does not make an outage worse.
    await protection.keep(false);
    expect(asks()).toEqual([true, false]);
    answer = granted;
    await protection.protect();
    expect(asks()).toEqual([true, false, true]);
  });

  it('is removed later if the first call to remove it failed', async () => {
    await protection.protect();
    answer = () => [500, {}];
    await protection.keep(false);
    answer = granted;
    clock.advance(10_000);
    await protection.keep(false);
    expect(asks()).toEqual([true, false, false]);
  });

  it('is kept if a take requests it while a call to remove it is in progress', async () => {
    await protection.protect();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    answer = async (enabled) => {
      arrive();
      if (!enabled) await released;
      return granted(enabled);
    };
    const given = protection.keep(false);
    await arrived;
    const taken = protection.protect();
    // This is enough time for a call that does not wait for the previous call.
    for (let calls = 0; calls < 3; calls += 1) await fetch(uri);
    expect(asks()).toEqual([true, false]);
    release();
    await Promise.all([given, taken]);
    expect(asks()).toEqual([true, false, true]);
  });

  it.each([null, 'yes', { protection: { ProtectionEnabled: 'true' } }])(
    'is not assumed if ECS returns %j',
    async (body) => {
      answer = () => [200, body];
      await expect(protection.protect()).rejects.toThrow(/^ECS returned unexpected content: [\w. ]+: invalid_type\.$/);
      expect(protection.since()).toBeUndefined();
    },
  );

  it('is not requested by a worker outside ECS', async () => {
    const none = createProtection({ uri: undefined, clock, onError: (error) => errors.push(error) });
    await none.protect();
    await none.keep(true);
    await none.keep(false);
    expect([asked, errors]).toEqual([[], []]);
  });
});

describe('an agent on ECS', () => {
  useEmulatedAgents();

  const statusOf = async (endpoint: string, id: string) => (await emulated.ports.jobs.read({ endpoint, id }))?.status;

  async function start(endpoint: string, pause?: () => Promise<void>) {
    await emulated.deploy(endpoint);
    const protection = createProtection({ uri, clock: emulated.clock, onError: () => undefined });
    return agents.start(endpoint, 'w1', { protection, ...(pause && { pause }) });
  }

  it('is protected before it takes a job, until it has been idle for the idle timeout', async () => {
    const agent = await start('pr-a');
    await agent.watch();
    const id = await agents.submit('pr-a');
    const seen: unknown[] = [];
    answer = async (enabled) => {
      seen.push(await statusOf('pr-a', id));
      return granted(enabled);
    };
    await agent.next(forever);
    expect(seen).toEqual(['IN_QUEUE']);
    answer = granted;

    emulated.clock.advance(IDLE_TIMEOUT);
    await agent.watch();
    expect(asks()).toEqual([true]);
    await agent.report(id, { output: '1' });
    emulated.clock.advance(IDLE_TIMEOUT - 1);
    await agent.watch();
    expect(asks()).toEqual([true]);
    emulated.clock.advance(1);
    await agent.watch();
    expect(asks()).toEqual([true, false]);
  });

  it('releases the message and pauses while it is not protected', async () => {
    const { promise: paused, resolve: pause } = Promise.withResolvers<void>();
    const { promise: over, resolve: goOn } = Promise.withResolvers<void>();
    const agent = await start('pr-b', () => {
      pause();
      return over;
    });
    answer = () => refused;
    const id = await agents.submit('pr-b');
    const offered = agent.next(forever);
    await paused;
    expect(await statusOf('pr-b', id)).toBe('IN_QUEUE');
    expect(asks()).toEqual([true]);
    // Another worker receives the job's message immediately.
    const other = await agents.start('pr-b', 'w2');
    expect(await other.next(forever)).toMatchObject({ id });
    await other.report(id, { output: '1' });

    answer = granted;
    const second = await agents.submit('pr-b');
    goOn();
    expect(await offered).toMatchObject({ id: second });
  });

  it('immediately stores in its lease that it is no longer idle', async () => {
    const leases: Lease[] = [];
    const { workers } = emulated.ports;
    const beat: Workers['beat'] = (lease) => {
      leases.push(lease);
      return workers.beat(lease);
    };
    await emulated.deploy('pr-c');
    const agent = await agents.start('pr-c', 'w1', { ports: { ...emulated.ports, workers: { ...workers, beat } } });
    const startedAt = emulated.clock.now();
    emulated.clock.advance(IDLE_TIMEOUT);
    await agents.submit('pr-c');
    await agent.next(forever);
    // The first renewal was before the worker looked for a job, the second during the take.
    expect(leases.map(({ idleSince }) => idleSince)).toEqual([startedAt, undefined]);
  });
});
