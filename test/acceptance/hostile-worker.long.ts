/**
 * Measures the latency of other endpoints during 12,000 junk writes, at up to 200 per second, with the worker role
 * of one endpoint.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MINUTE, SECOND } from '../../core/limits.ts';
import { readDeclarations } from '../../lib/endpoints/declaration.ts';
import { declared } from '../support/declared.ts';
import { assemblyWith } from './added-endpoints.ts';
import { startFlood } from './hostile/flood.ts';
import { answerTimes, coldStart, healthLag, median } from './hostile/ways.ts';
import { hostileWorker } from './hostile/worker.ts';
import { jobIn, type LocalService, newStateDir, startService, stopService, submit } from './local-service.ts';

const RATE = 200;
const WRITES = 60 * RATE;
/**
 * Tolerances in milliseconds, because the writes and the other endpoints share two cores. A stalled platform takes
 * tens of seconds.
 */
const SLACK = { coldStart: 5 * SECOND, healthLag: 5 * SECOND, status: SECOND, health: SECOND } as const;
/** Each cold start uses a new endpoint, because a worker runs for at least a minute. */
const COLD_STARTS = 5;
const LAGS = 8;
const ANSWERS = 60;

const stateDir = newStateDir();
let service: LocalService;

const names = (when: string) => Array.from({ length: COLD_STARTS }, (_, n) => `${when}-${n}`);

beforeAll(async () => {
  const assembly = join(stateDir, 'changed-assembly');
  const echo = readDeclarations(declared).find(({ id }) => id === 'echo');
  if (!echo) throw new Error('The endpoint echo is not declared.');
  const ids = ['echo', 'steady', ...names('calm'), ...names('flooded')];
  await assemblyWith(
    assembly,
    ids.map((id) => ({ ...echo, id })),
  );
  service = await startService(stateDir, { args: ['--assembly', assembly] });
}, 5 * MINUTE);
afterAll(() => service && stopService(service));

/** Median latencies in milliseconds. */
interface Latencies {
  readonly coldStart: number;
  readonly healthLag: number;
  readonly status: number;
  readonly health: number;
}

/** Measures all latencies, one after the other. */
async function measure(cold: readonly string[], id: string): Promise<Latencies> {
  const [coldStarts, lags, statuses, healths]: number[][] = [[], [], [], []];
  for (const endpoint of cold) {
    coldStarts?.push(await coldStart(service, endpoint));
    for (let n = 0; n < LAGS / COLD_STARTS; n += 1) lags?.push(await healthLag(service, 'steady'));
    for (let n = 0; n < ANSWERS / COLD_STARTS; n += 1) {
      const { status, health } = await answerTimes(service, 'steady', id);
      statuses?.push(status);
      healths?.push(health);
    }
  }
  return {
    coldStart: median(coldStarts ?? []),
    healthLag: median(lags ?? []),
    status: median(statuses ?? []),
    health: median(healths ?? []),
  };
}

describe('a flood of junk writes', () => {
  it(
    'does not stall other endpoints',
    async () => {
      const worker = await hostileWorker(service, 'echo');
      const { json } = await submit(service, '{"input":{}}', 'steady');
      const id = String(json.id);
      await jobIn(service, id, 'COMPLETED', MINUTE, 'steady');
      // Functions are loaded by their first call.
      await answerTimes(service, 'steady', id);
      await healthLag(service, 'steady');

      const calm = await measure(names('calm'), id);
      const flood = startFlood(worker, 'echo', RATE);
      const from = performance.now();
      const flooded = await measure(names('flooded'), id);
      while (flood.written() < WRITES) await answerTimes(service, 'steady', id);
      const lasted = (performance.now() - from) / SECOND;
      await flood.stop();
      console.log(
        `Milliseconds without and with junk: ${JSON.stringify({ calm, flooded })}. Items written in ${lasted} s: ${flood.written()}`,
      );
      // The flood leaves no backlog behind.
      expect(await healthLag(service, 'steady')).toBeLessThan(2 * calm.healthLag + SLACK.healthLag);
      for (const name of ['coldStart', 'healthLag', 'status', 'health'] as const)
        expect(flooded[name]).toBeLessThan(2 * calm[name] + SLACK[name]);
    },
    10 * MINUTE,
  );
});
