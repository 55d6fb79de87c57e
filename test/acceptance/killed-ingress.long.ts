/** Tests that clients wait successfully while a task of the ingress is killed or replaced. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LEASE } from '../../core/limits.ts';
import { signal } from '../runner/processes.ts';
import { copyAssembly } from './assembly.ts';
import { askUntilAnswered, ingressProcesses } from './front-door.ts';
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
import { changeEndpoint, effectsIn, fleetOf } from './moving-fleet.ts';

const CLIENTS = 200;
/** Maximum number of concurrent `/runsync` waits in the contract. */
const CONCURRENT = 400;
const WITHIN = 120_000;

const stateDir = newStateDir();
const log = join(stateDir, 'effects.jsonl');
let service: LocalService;

beforeAll(async () => {
  const assembly = join(stateDir, 'changed-assembly');
  await copyAssembly(assembly);
  changeEndpoint(assembly, 'echo', { idleTimeout: 60_000, maxWorkers: 3 }, log);
  service = await startService(stateDir, { args: ['--assembly', assembly] });
}, 180_000);
afterAll(() => stopService(service));

const runSync = (endpoint: string, wait: number) => `${service.JobApiUrl}/${endpoint}/runsync?wait=${wait}`;

const ended = async () => effectsIn(log).length;

describe(`an ingress that is killed while ${CLIENTS} clients wait`, () => {
  let killedAt = 0;

  it('returns the result to each client that retries with its key, and runs no job twice', async () => {
    const answers = Array.from({ length: CLIENTS }, (_, n) =>
      askUntilAnswered(service, runSync('echo', 90_000), {
        body: JSON.stringify({ input: { op: 'effect', ms: 50, n } }),
        key: `client-${n}`,
        within: WITHIN,
      }),
    );
    await eventually('some jobs have ended', async () => (await ended()) > CLIENTS / 10 || undefined, {
      within: WITHIN,
      every: 20,
    });
    const [victim] = ingressProcesses(service);
    if (victim === undefined) throw new Error('No process of the ingress is running.');
    signal(victim, 'SIGKILL');
    killedAt = Date.now();

    const all = await Promise.all(answers);
    expect(all.map(({ answer }) => answer.json.status)).toEqual(Array(CLIENTS).fill('COMPLETED'));
    expect(all.filter(({ failures }) => failures > 0).length).toBeGreaterThan(CLIENTS / 2);
    const ids = all.map(({ answer }) => String(answer.json.id));
    expect(new Set(ids).size).toBe(CLIENTS);
    const effects = effectsIn(log);
    expect(new Set(effects)).toEqual(new Set(ids));
    expect(effects).toHaveLength(CLIENTS);
  }, 240_000);

  it(`releases its slots within ${LEASE / 1_000} s, so that the contract's number of clients can wait again`, async () => {
    await eventually('the leases of the killed task have ended', () => Date.now() - killedAt > LEASE || undefined, {
      within: 2 * LEASE,
    });
    const answers = await Promise.all(
      Array.from({ length: CONCURRENT }, () =>
        call(service, 'POST', runSync('echo-sdk', 20_000), { body: '{"input":{"op":"sleep","ms":1000}}' }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(CONCURRENT).fill(200));
  }, 240_000);
});

describe('the ingress during a deployment', () => {
  it('answers waiting clients, and refuses no new calls', async () => {
    const { json } = await submit(service, '{"input":{"op":"sleep","ms":20000}}');
    await jobIn(service, json.id, 'IN_PROGRESS');
    const waiting = Array.from({ length: 50 }, () =>
      call(service, 'GET', `${service.JobApiUrl}/echo/status-sync/${json.id}?wait=90000`),
    );
    const over = new AbortController();
    const statuses: number[] = [];
    const coming = async () => {
      while (!over.signal.aborted)
        statuses.push((await call(service, 'POST', runSync('echo-http', 20_000), { body: '{"input":{}}' })).status);
    };
    const [before] = ingressProcesses(service);
    const comings = [coming(), coming()];
    const fleet = fleetOf(service, 'Platform');
    await fleet.release({ name: 'RELEASED', value: 'again' });
    await eventually('the deployment is complete', async () => (await fleet.rollout()) === 'COMPLETED' || undefined, {
      within: WITHIN,
    });
    await eventually('one task is left', async () => (await fleet.tasks()).length === 1 || undefined, {
      within: WITHIN,
    });
    over.abort();
    await Promise.all(comings);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const answers = await Promise.all(waiting);
    expect(answers.map((answer) => [answer.status, answer.json.status])).toEqual(
      Array(waiting.length).fill([200, 'COMPLETED']),
    );
    await eventually('the old task exits', () => !ingressProcesses(service).includes(before ?? 0) || undefined);
    expect(ingressProcesses(service)).toHaveLength(1);
  }, 240_000);
});
