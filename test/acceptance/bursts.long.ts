/** Sends hundreds of concurrent calls to one endpoint over HTTP, while other processes keep all cores busy. */
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MINUTE } from '../../core/limits.ts';
import { sharedAssembly } from './assembly.ts';
import {
  type Answer,
  call,
  eventually,
  type LocalService,
  newStateDir,
  startService,
  stopService,
} from './local-service.ts';

const CLIENTS = 450;
/** The contract's limit of calls that wait at the same time, for each endpoint and operation. */
const HELD = 400;
/** Number of `/run` calls that the burst limit of API Gateway admits. */
const RUNS = 200;
const LISTS = 100;

const stateDir = newStateDir();
let service: LocalService;
let spinning: ChildProcess[] = [];

beforeAll(async () => {
  const placement = join(stateDir, 'placement.yaml');
  // No worker starts, so the jobs wait.
  writeFileSync(placement, 'Endpoint-echo: RESOURCE:FARGATE\nEndpoint-echo-sdk: RESOURCE:FARGATE\n');
  service = await startService(stateDir, {
    args: ['--assembly', await sharedAssembly()],
    env: { LOCAL_PLACEMENT: placement },
  });
  spinning = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['test/support/spin.ts', String(process.pid)], { stdio: 'ignore' }),
  );
}, 3 * MINUTE);
afterAll(async () => {
  for (const child of spinning) child.kill('SIGKILL');
  if (service) await stopService(service);
});

const atOnce = (count: number, ask: () => Promise<Answer>) => Promise.all(Array.from({ length: count }, ask));

/** Counts responses by status. */
const counted = (answers: readonly Answer[]): Record<number, number> =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, alike]) => [status, alike.length]),
  );

describe('the service on a busy machine, under a burst of requests,', () => {
  it(
    `holds ${HELD} of ${CLIENTS} calls that wait on one endpoint, and answers the rest with 429`,
    async () => {
      const ended: Answer[] = [];
      const url = `${service.JobApiUrl}/echo/runsync?wait=300000`;
      for (let n = 0; n < CLIENTS; n += 1)
        // Waiting calls are closed when the service stops.
        void call(service, 'POST', url, { body: '{"input":{}}' }).then(
          (answer) => ended.push(answer),
          () => undefined,
        );
      await eventually(
        `${HELD} jobs wait`,
        async () => {
          const { json } = await call(service, 'GET', `${service.JobApiUrl}/echo/health`);
          return (json.jobs as { inQueue: number }).inQueue === HELD || undefined;
        },
        { within: 3 * MINUTE },
      );
      await eventually('the refused calls have their responses', () => ended.length >= CLIENTS - HELD || undefined);
      expect(counted(ended)).toEqual({ 429: CLIENTS - HELD });
      for (const { headers } of ended) expect(headers.get('Retry-After')).toBe('5');
    },
    5 * MINUTE,
  );

  it(
    `accepts all ${RUNS} submissions to one endpoint`,
    async () => {
      const run = () => call(service, 'POST', `${service.JobApiUrl}/echo-sdk/run`, { body: '{"input":{}}' });
      expect(counted(await atOnce(RUNS, run))).toEqual({ 200: RUNS });
    },
    5 * MINUTE,
  );

  it(
    `answers all ${LISTS} requests that list the endpoints`,
    async () => {
      const list = () => call(service, 'GET', `${service.ManagementApiUrl}/endpoints`);
      expect(counted(await atOnce(LISTS, list))).toEqual({ 200: LISTS });
    },
    5 * MINUTE,
  );
});
