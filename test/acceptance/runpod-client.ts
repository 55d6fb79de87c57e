/**
 * Makes the same calls as RunPod's public JavaScript client, with its paths, methods, bodies, headers and
 * timeouts. The package has no licence that would allow this project to depend on it. `first-job.test.ts` runs
 * these tests.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, holdingFile, jobIn, type LocalService, submit } from './local-service.ts';

/** Milliseconds from a `/health` request to its response on a quiet machine. */
const QUIET = 30;
/**
 * Timeout of the client for calls that do not wait, in milliseconds. It is extended in proportion on a slower
 * machine.
 */
const PATIENCE = 3_000;

/** Returns how many times slower this machine is than a quiet one. The functions must be loaded already. */
async function slowness(service: LocalService): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 9; n += 1) {
    const begin = performance.now();
    await call(service, 'GET', `${service.JobApiUrl}/echo/health`);
    times.push(performance.now() - begin);
  }
  const median = times.toSorted((one, other) => one - other)[times.length >> 1] ?? QUIET;
  return Math.max(1, median / QUIET);
}

type Json = Readonly<Record<string, unknown>>;

const FINAL = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];
/** Limits a wait to the range that the client sends. */
const within = (wait: number) => Math.min(90_000, Math.max(1_000, wait));

/** Creates a client that treats every status except 200 as a failure without a job. */
function createClient(service: LocalService, patience: number, endpoint: string) {
  async function ask(
    method: 'GET' | 'POST',
    path: string,
    { body, patience: limit }: { body?: object; patience?: number },
  ) {
    const response = await fetch(`${service.JobApiUrl}/${endpoint}/${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${service.ApiKey}`,
        'content-type': 'application/json',
        'User-Agent': 'RunPod-JS-SDK/1.1.2 (Unknown Environment)',
      },
      body: body ? JSON.stringify(body) : null,
      signal: limit === undefined ? null : AbortSignal.timeout(limit),
    });
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    return (await response.json()) as Json;
  }

  const statusSync = (id: unknown, wait = 90_000) => ask('GET', `status-sync/${id}?wait=${within(wait)}`, {});
  return {
    statusSync,
    run: (input: object) => ask('POST', 'run', { body: { input }, patience }),
    status: (id: unknown) => ask('GET', `status/${id}`, { patience }),
    cancel: (id: unknown) => ask('POST', `cancel/${id}`, { body: {}, patience }),
    health: () => ask('GET', 'health', { patience }),
    purgeQueue: () => ask('POST', 'purge-queue', { body: {}, patience }),

    /** Continues with `/status-sync` if `/runsync` returns before the job has ended. */
    async runSync(input: object, wait: number) {
      const answers = [await ask('POST', `runsync?wait=${within(wait)}`, { body: { input } })];
      while (!FINAL.includes(String(answers.at(-1)?.status))) answers.push(await statusSync(answers[0]?.id, wait));
      return answers;
    },

    /** Reads `stream` of every response, and repeats the request immediately until the status is final. */
    async *stream(id: unknown) {
      for (let status = ''; !FINAL.includes(status); ) {
        const answer = await ask('GET', `stream/${id}`, {});
        status = String(answer.status);
        for (const chunk of answer.stream as readonly Json[]) yield { chunk, status };
      }
    },
  };
}

/**
 * Declares the tests.
 * @param running the service with the example workers, available when tests run
 */
export function describeRunPodClient(running: () => LocalService): void {
  describe('a client of RunPod', () => {
    let patience = PATIENCE;
    const clientOf = (endpoint: string) => createClient(running(), patience, endpoint);

    beforeAll(async () => {
      const service = running();
      // The first call of a function loads it, which is not part of a client's usual wait.
      const { json } = await submit(service, '{"input":{}}');
      await jobIn(service, json.id, 'COMPLETED');
      for (const path of [`cancel/${json.id}`, 'purge-queue'])
        await call(service, 'POST', `${service.JobApiUrl}/echo/${path}`);
      patience = Math.round(PATIENCE * (await slowness(service)));
    }, 120_000);

    it('submits a job, reads its status and waits for it', async () => {
      const client = clientOf('echo');
      const accepted = await client.run({ hello: 'world' });
      expect(accepted).toEqual({ id: expect.any(String), status: 'IN_QUEUE' });
      const record = await client.statusSync(accepted.id);
      expect(record).toMatchObject({ id: accepted.id, status: 'COMPLETED', output: { hello: 'world' } });
      expect([record.delayTime, record.executionTime]).toEqual([expect.any(Number), expect.any(Number)]);
      expect(await client.status(accepted.id)).toEqual(record);
    });

    it('runs a job that takes longer than one wait', async () => {
      const answers = await clientOf('echo').runSync({ op: 'sleep', ms: 4_500 }, 1_000);
      expect(answers.length).toBeGreaterThan(2);
      expect(answers[0]).toMatchObject({ id: answers.at(-1)?.id, status: expect.stringMatching(/^IN_/) });
      expect(answers.at(-1)).toMatchObject({ status: 'COMPLETED', output: { slept: 4_500 } });
    });

    it('receives a failed job like any other job', async () => {
      const [answer] = await clientOf('echo').runSync({ op: 'fail', message: 'no such model' }, 60_000);
      expect(answer).toMatchObject({ status: 'FAILED', error: 'no such model' });
    });

    it('cancels jobs, purges the queue and reads the health, each within 3 seconds', async () => {
      const client = clientOf('echo');
      const { id } = await client.run({ op: 'sleep', ms: 60_000 });
      expect(await client.cancel(id)).toEqual({ id, status: 'CANCELLED' });
      expect(await client.purgeQueue()).toEqual({ removed: expect.any(Number), status: 'completed' });
      const number = expect.any(Number);
      expect(await client.health()).toMatchObject({
        jobs: { completed: number, failed: number, inProgress: number, inQueue: number, retried: number },
        workers: { idle: number, initializing: number, ready: number, running: number, throttled: number },
      });
    });

    it.each([
      ['with `streamEnvelope`', 'echo-sdk'],
      ['without `streamEnvelope`', 'echo'],
    ])(
      'streams a job of an endpoint %s: every chunk once, and no chunk after the job has ended',
      async (_, endpoint) => {
        const client = clientOf(endpoint);
        const { until, release } = holdingFile();
        const { id } = await client.run({ op: 'stream', chunks: 5, size: 12, ms: 300, until });
        const read = await Array.fromAsync(client.stream(id), (part) => {
          release();
          return part;
        });
        const numbers = read.map(({ chunk }) => (chunk.metrics as Json).stream_index);
        expect(numbers).toEqual([0, 1, 2, 3, 4]);
        expect(read.map(({ chunk }) => chunk.output)).toEqual(numbers.map(() => 'x'.repeat(10)));
        expect(read[0]?.status).toBe('IN_PROGRESS');
        expect((await client.status(id)).status).toBe('COMPLETED');
        expect(await Array.fromAsync(client.stream(id))).toEqual([]);
      },
    );
  });
}
