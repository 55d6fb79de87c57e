/** Streams over HTTP: what a job sends while it runs. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedAssembly } from './assembly.ts';
import {
  call,
  eventually,
  jobIn,
  type LocalService,
  newStateDir,
  readStatus,
  removeStateDir,
  startService,
  stopService,
  submit,
} from './local-service.ts';

let service: LocalService;
const stateDir = newStateDir();

beforeAll(async () => {
  service = await startService(stateDir, { args: ['--assembly', await sharedAssembly()] });
}, 60_000);
afterAll(async () => {
  await stopService(service);
  removeStateDir(stateDir);
});

interface Chunk {
  readonly output: unknown;
  readonly metrics: Readonly<Record<string, unknown>>;
}

async function chunksOf(id: unknown, query = '', method = 'GET'): Promise<Chunk[]> {
  const { status, json, text } = await call(service, method, `${service.JobApiUrl}/echo/stream/${id}${query}`);
  if (status !== 200) throw new Error(`/stream answered ${status}: ${text}`);
  return json as unknown as Chunk[];
}

describe('a stream', () => {
  it('grows while the job runs, and is there from any chunk on when it has ended', async () => {
    const { json } = await submit(service, '{"input":{"op":"stream","chunks":4,"size":12,"ms":400}}');
    const begun = await eventually('a chunk is there', async () => {
      const chunks = await chunksOf(json.id);
      return chunks.length > 0 ? chunks : undefined;
    });
    expect((await readStatus(service, json.id)).json.status).toBe('IN_PROGRESS');
    expect(begun.length).toBeLessThan(4);
    expect(begun[0]).toEqual({ output: 'x'.repeat(10), metrics: { stream_index: 0, running: 1 } });
    const ended = await jobIn(service, json.id, 'COMPLETED');
    expect(ended.json.output).toEqual([]);
    const all = await chunksOf(json.id);
    expect(all.map(({ metrics }) => metrics.stream_index)).toEqual([0, 1, 2, 3]);
    expect(await chunksOf(json.id, '', 'POST')).toEqual(all);
    expect(await chunksOf(json.id, '?from=3')).toEqual(all.slice(3));
    expect(await chunksOf(json.id)).toEqual(all);
  });

  it('of many megabytes comes whole, in chunks of at most one', async () => {
    const size = 5 * 1024 * 1024;
    const { json } = await submit(service, JSON.stringify({ input: { op: 'stream', chunks: 3, size } }));
    await jobIn(service, json.id, 'COMPLETED');
    const chunks = await chunksOf(json.id);
    const sizes = chunks.map(({ output }) => JSON.stringify(output).length);
    expect(Math.max(...sizes)).toBe(1024 * 1024);
    expect(chunks.map(({ output }) => String(output).length).reduce((a, b) => a + b)).toBe(3 * (size - 2));
    expect(chunks.map(({ metrics }) => metrics.stream_index)).toEqual(chunks.map((_, n) => n));
  });

  it('of a job that streams nothing is empty, and of none a 404', async () => {
    const { json } = await submit(service, '{"input":{}}');
    await jobIn(service, json.id, 'COMPLETED');
    expect(await chunksOf(json.id)).toEqual([]);
    const unknown = await call(service, 'GET', `${service.JobApiUrl}/echo/stream/${'0'.repeat(36)}`);
    expect(unknown).toMatchObject({ status: 404, json: { code: 'JOB_NOT_FOUND' } });
    const wrong = await call(service, 'GET', `${service.JobApiUrl}/echo/stream/${json.id}?from=-1`);
    expect(wrong).toMatchObject({ status: 400, json: { code: 'INVALID_REQUEST' } });
  });

  it('comes from a handler that is no generator, too', async () => {
    const { json } = await submit(service, '{"input":{"op":"progress","steps":2}}');
    await jobIn(service, json.id, 'COMPLETED');
    expect((await chunksOf(json.id)).map(({ output }) => output)).toEqual([1, 2].map((step) => ({ step, steps: 2 })));
  });
});
