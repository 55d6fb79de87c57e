/** Lets clients wait for jobs that no worker takes, in an account with few concurrent executions. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Answer,
  call,
  eventually,
  jobIn,
  type LocalService,
  newStateDir,
  startService,
  stopService,
  submit,
} from './local-service.ts';
import { type Receivers, startReceivers } from './webhooks/receivers.ts';

const CLIENTS = 200;
/** Number of clients that start at the same time. Each is one execution. */
const WAVE = 10;

export interface Waits {
  /** Options of `npm start`. */
  readonly args: () => Promise<readonly string[]>;
  /** Maximum number of concurrent executions in the account. */
  readonly concurrency: number;
  /** Number of the 200 clients that can wait. The others are refused. */
  readonly waiting: number;
}

export function describeWaits({ args, concurrency, waiting }: Waits): void {
  describe(`${CLIENTS} clients that wait for jobs that no worker takes`, () => {
    let service: LocalService;
    let receivers: Receivers;

    beforeAll(async () => {
      receivers = await startReceivers();
      const stateDir = newStateDir();
      const placement = join(stateDir, 'placement.yaml');
      writeFileSync(placement, 'Endpoint-echo: RESOURCE:FARGATE\n');
      const env = { LOCAL_PLACEMENT: placement, LOCAL_CONCURRENCY: String(concurrency) };
      service = await startService(stateDir, { args: await args(), env });
    }, 240_000);
    afterAll(async () => {
      await stopService(service);
      receivers.stop();
    });

    const jobsInQueue = async (endpoint: string): Promise<number> => {
      const { status, json } = await call(service, 'GET', `${service.JobApiUrl}/${endpoint}/health`);
      expect(status).toBe(200);
      return (json.jobs as { inQueue: number }).inQueue;
    };

    it('are refused above the limit, and calls to other endpoints still succeed', async () => {
      const refused: Answer[] = [];
      const begin = async () => {
        const answer = await call(service, 'POST', `${service.JobApiUrl}/echo/runsync?wait=300000`, {
          body: '{"input":{}}',
        });
        refused.push(answer);
      };
      for (let clients = WAVE; clients <= CLIENTS; clients += WAVE) {
        // Waiting calls are closed when the service stops.
        for (let n = 0; n < WAVE; n += 1) void begin().catch(() => undefined);
        await eventually(
          `${clients} clients wait or are refused`,
          async () => (await jobsInQueue('echo')) + refused.length >= clients || undefined,
        );
      }
      expect(refused.map(({ status, json }) => [status, json.code])).toEqual(
        Array(CLIENTS - waiting).fill([429, 'TOO_MANY_REQUESTS']),
      );
      for (const { headers, json } of refused) {
        expect(headers.get('Retry-After')).toBe('5');
        expect(json.error).toContain(`This deployment allows ${waiting} requests to wait at the same time`);
      }

      // A worker starts for this job, and its webhook is called.
      const webhook = JSON.stringify(`${receivers.url}/ok/waits`);
      const accepted = await submit(service, `{"input":{"n":1},"webhook":${webhook}}`, 'echo-sdk');
      expect(accepted.status).toBe(200);
      await jobIn(service, accepted.json.id, 'COMPLETED', 60_000, 'echo-sdk');
      await eventually('the webhook is called', () => receivers.posts('/ok/waits')[0]);
      // The counts are a second or two behind the jobs.
      await eventually(
        'the health of the other endpoint counts no job',
        async () => (await jobsInQueue('echo-sdk')) === 0 || undefined,
      );
      expect(await jobsInQueue('echo')).toBe(waiting);
      expect(service.printed()).not.toContain('calls are throttled');
    });
  });
}
