/** Tests `/stream` of an endpoint with `streamEnvelope`, which sends each chunk once. */
import { describe, expect, it } from '@jest/globals';
import { type Ports, portsWith } from '../../aws/ports.ts';
import type { Clock } from '../../core/clock.ts';
import { handleStream } from '../../core/http/calls.ts';
import { RequestBody } from '../../core/http/request.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import type { JobKey, RunningJob } from '../../core/jobs/job.ts';
import { retention } from '../../core/limits.ts';
import { InvalidRequest, JobExpired, JobNotFound } from '../../core/requests/errors.ts';
import { append } from '../../core/streams/append.ts';
import { type StreamRequest, stream } from '../../core/streams/stream.ts';
import { retry } from '../../core/submission/retry.ts';
import { finish } from '../../core/workers/report.ts';
import { rescue } from '../../core/workers/rescue.ts';
import { startJob, submitJob, takeJob } from '../jobs/scripted-job.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const { ports } = emulated;

type Query = Pick<StreamRequest, 'from' | 'wait'>;

async function piecesOf({ endpoint, id }: JobKey, query: Query = {}, over: Ports = ports): Promise<string[]> {
  return Array.fromAsync(await stream(over, { endpoint, id, ...query }));
}

interface Envelope {
  readonly status: string;
  readonly stream: readonly { readonly output: unknown }[];
}

/**
 * Reads the stream.
 * @returns the status, and the outputs of the chunks
 */
async function read(key: JobKey, query?: Query, over?: Ports): Promise<[string, unknown[]]> {
  const envelope = JSON.parse((await piecesOf(key, query, over)).join('')) as Envelope;
  return [envelope.status, envelope.stream.map(({ output }) => output)];
}

async function appendAll(job: RunningJob, outputs: readonly unknown[], first = 0): Promise<number> {
  let number = first;
  for (const output of outputs) number = await append(ports, job, number, { output: JSON.stringify(output) });
  return number;
}

async function streaming(endpoint: string): Promise<RunningJob> {
  await emulated.deploy(endpoint, { streamEnvelope: true });
  return startJob(ports, endpoint);
}

/** @returns ports in which `happens` runs when a reader has paused for this long */
function after(milliseconds: number, happens: () => Promise<unknown>): Ports {
  const start = emulated.clock.now();
  let pending: (() => Promise<unknown>) | undefined = happens;
  const clock: Clock = {
    now: () => emulated.clock.now(),
    async pause(length) {
      emulated.clock.advance(length);
      if (emulated.clock.now() - start < milliseconds) return;
      const due = pending;
      pending = undefined;
      await due?.();
    },
  };
  return portsWith(ports, { clock });
}

const elapsed = async (action: () => Promise<unknown>) => {
  const start = emulated.clock.now();
  await action();
  return emulated.clock.now() - start;
};

describe('a stream that is drained', () => {
  it('returns each chunk once, the end with the last chunk, and then only the end', async () => {
    const job = await streaming('dr-a');
    const count = await appendAll(job, ['a', { b: 1 }]);
    expect(await read(job)).toEqual(['IN_PROGRESS', ['a', { b: 1 }]]);
    expect(await read(job, { wait: '1000' })).toEqual(['IN_PROGRESS', []]);
    await finish(ports, job, { output: '[]', chunks: await appendAll(job, ['c', 'd'], count) });
    expect(await read(job)).toEqual(['COMPLETED', ['c', 'd']]);
    for (const _ of [1, 2]) expect(await piecesOf(job)).toEqual(['{"status":"COMPLETED","stream":[]}']);
  });

  it('returns the chunks as in the array, byte for byte', async () => {
    const job = await streaming('dr-b');
    await append(ports, job, 0, { output: '{ "n":-0 }', metrics: '{"running":1}' });
    expect((await piecesOf(job)).join('')).toBe(
      '{"status":"IN_PROGRESS","stream":[{"output":{ "n":-0 },"metrics":{"stream_index":0,"running":1}}]}',
    );
  });

  it.each([
    ['FAILED', (job: RunningJob) => finish(ports, job, { error: 'no', chunks: 1 }), ['a']],
    ['CANCELLED', (job: RunningJob) => cancel(ports, job), ['a']],
  ] as const)('returns the valid chunks of a job that is %s', async (status, end, outputs) => {
    const job = await streaming(`dr-c-${status.toLowerCase()}`);
    await appendAll(job, ['a']);
    await end(job);
    expect(await read(job)).toEqual([status, outputs]);
  });

  it('begins again with each attempt', async () => {
    const job = await streaming('dr-d');
    await appendAll(job, ['a', 'b']);
    expect(await read(job)).toEqual(['IN_PROGRESS', ['a', 'b']]);
    await rescue(ports, job, 0, job.generation);
    expect(await read(job, { wait: '1000' })).toEqual(['IN_QUEUE', []]);
    const second = await takeJob(ports, 'dr-d', job.id, 'w2');
    await finish(ports, second, { error: 'no', chunks: await appendAll(second, ['c']) });
    expect(await read(job)).toEqual(['FAILED', ['c']]);
    await retry(ports, job);
    const third = await takeJob(ports, 'dr-d', job.id, 'w3');
    await appendAll(third, ['d']);
    expect(await read(job)).toEqual(['IN_PROGRESS', ['d']]);
  });

  it('can be read starting at any chunk without being drained', async () => {
    const job = await streaming('dr-e');
    await appendAll(job, ['a', 'b', 'c']);
    for (const _ of [1, 2]) expect(await read(job, { from: '1' })).toEqual(['IN_PROGRESS', ['b', 'c']]);
    expect(await read(job)).toEqual(['IN_PROGRESS', ['a', 'b', 'c']]);
    expect(await read(job, { from: '0' })).toEqual(['IN_PROGRESS', ['a', 'b', 'c']]);
  });
});

describe('the stream of an endpoint without the envelope', () => {
  const ARRAY = '[{"output":"a","metrics":{"stream_index":0}}]';
  const [envelope, rest] = [`{"status":"IN_PROGRESS","stream":${ARRAY}}`, '{"status":"COMPLETED","stream":[]}'];

  it.each([
    ['RunPod-JS-SDK/1.1.2 (Unknown Environment)', [envelope, rest]],
    ['RunPod-Python-SDK/1.12.0 (Linux 6.1; x86_64) Language/Python 3.11.7', [envelope, rest]],
    ['python-requests/2.32.3', [ARRAY, ARRAY]],
    ['my-proxy (RunPod-JS-SDK/1.1.2)', [ARRAY, ARRAY]],
    [undefined, [ARRAY, ARRAY]],
  ])('has the form that a client with the user agent %s reads', async (userAgent, expected) => {
    const endpoint = `de-${userAgent?.slice(0, 8).toLowerCase() ?? 'none'}`;
    await emulated.deploy(endpoint);
    const job = await startJob(ports, endpoint);
    await appendAll(job, ['a']);
    const body = new RequestBody(Buffer.alloc(0));
    const request = { endpoint, job: job.id, query: {}, body, owner: 'team', userAgent };
    const answer = async () => (await Array.fromAsync(await handleStream(ports, request))).join('');
    const first = await answer();
    await finish(ports, job, { output: '[]', chunks: 1 });
    expect([first, await answer()]).toEqual(expected);
  });
});

describe('a chunk', () => {
  it('is not lost for a reader that was disconnected', async () => {
    const job = await streaming('dl-a');
    const outputs = [1, 2, 3].map((n) => String(n).repeat(50_000));
    await appendAll(job, outputs);
    for await (const piece of await stream(ports, job)) {
      expect(piece.length).toBeGreaterThan(50_000);
      break;
    }
    expect(await read(job)).toEqual(['IN_PROGRESS', outputs]);
    expect(await read(job, { wait: '1000' })).toEqual(['IN_PROGRESS', []]);
  });

  it('is not lost for simultaneous readers', async () => {
    const job = await streaming('dl-b');
    const outputs = Array.from({ length: 30 }, (_, n) => n);
    const seen = new Set<unknown>();
    const reader = async () => {
      for (let status = ''; status !== 'COMPLETED'; ) {
        const [present, chunks] = await read(job, { wait: '1000' });
        status = present;
        for (const chunk of chunks) seen.add(chunk);
      }
    };
    const writer = async () => finish(ports, job, { output: '1', chunks: await appendAll(job, outputs) });
    await Promise.all([reader(), writer(), reader()]);
    expect(seen).toEqual(new Set(outputs));
    expect(await read(job)).toEqual(['COMPLETED', []]);
  });

  it('is not sent again if a slow reader stores an earlier position', async () => {
    const job = await streaming('dl-c');
    for (const [attempt, next] of [
      [1, 3],
      [1, 2],
      [2, 1],
      [1, 5],
    ] as const)
      await ports.drains.set(job, attempt, next, 1);
    expect(await Promise.all([1, 2, 3].map((attempt) => ports.drains.read(job, attempt)))).toEqual([0, 1, 0]);
    await ports.drains.set(job, 2, 4, 1);
    await ports.drains.set(job, 2, 3, 1);
    expect(await ports.drains.read(job, 2)).toBe(4);
  });
});

describe('a reader that finds nothing new', () => {
  it('is answered as soon as a chunk is stored', async () => {
    const job = await streaming('dh-a');
    const later = after(2_000, () => appendAll(job, ['a']));
    let answer: unknown;
    const took = await elapsed(async () => {
      answer = await read(job, {}, later);
    });
    expect(answer).toEqual(['IN_PROGRESS', ['a']]);
    expect(took).toBeLessThan(3_100);
  });

  it('is answered as soon as the job has ended', async () => {
    const job = await streaming('dh-b');
    const later = after(2_000, () => finish(ports, job, { output: '1' }));
    expect(await read(job, {}, later)).toEqual(['COMPLETED', []]);
  });

  it.each([
    [undefined, 7_000],
    ['1000', 1_000],
    ['20000', 20_000],
    ['300000', 20_000],
  ])('with wait %s is answered after %d ms, before its headers must be sent', async (wait, milliseconds) => {
    await emulated.deploy('dh-c', { streamEnvelope: true });
    const key = { endpoint: 'dh-c', id: await submitJob(ports, 'dh-c') };
    expect(await elapsed(() => read(key, { wait }))).toBe(milliseconds);
  });

  it.each([[''], ['999'], ['300001'], ['1e3'], [['1000', '1000']]])('may not wait for %j', async (wait) => {
    await emulated.deploy('dh-d', { streamEnvelope: true });
    const key = { endpoint: 'dh-d', id: '0'.repeat(36) };
    await expect(read(key, { wait })).rejects.toThrow(InvalidRequest);
    await expect(read(key)).rejects.toThrow(JobNotFound);
  });

  it('gets an error if the result has expired', async () => {
    const job = await streaming('dh-e');
    await finish(ports, job, { output: '1' });
    emulated.clock.advance(retention.run);
    await expect(read(job)).rejects.toThrow(JobExpired);
  });
});
