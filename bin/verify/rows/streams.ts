import { describe, it } from 'node:test';
import { expect } from 'expect';
import { eventually } from '../eventually.ts';
import type { Suite } from '../suite.ts';

interface Chunk {
  readonly output: unknown;
  readonly part?: number;
  readonly parts?: number;
  readonly metrics: Readonly<Record<string, unknown>>;
}

const MB = 1024 * 1024;

export function streams({ ask, ended, run }: Suite): void {
  async function chunksOf(id: string, query = '', method = 'GET'): Promise<Chunk[]> {
    const { status, json, text } = await ask(method, `stream/${id}${query}`);
    if (status !== 200) throw new Error(`/stream answered ${status}: ${text}`);
    return json as unknown as Chunk[];
  }

  describe('a stream', () => {
    it('[route.stream][chunk.output] grows while its job runs, and can be read from any chunk after the job has ended', async () => {
      const id = await run({ op: 'stream', chunks: 4, size: 12, ms: 1_000 });
      const begun = await eventually('a chunk exists', async () => {
        const chunks = await chunksOf(id);
        return chunks.length > 0 ? chunks : undefined;
      });
      expect((await ask('GET', `status/${id}`)).json.status).toBe('IN_PROGRESS');
      expect(begun.length).toBeLessThan(4);
      expect(begun[0]).toEqual({ output: 'x'.repeat(10), metrics: { stream_index: 0, running: 1 } });
      expect((await ended(id)).json).toMatchObject({ status: 'COMPLETED', output: [] });
      const all = await chunksOf(id);
      expect(all.map(({ metrics }) => metrics.stream_index)).toEqual([0, 1, 2, 3]);
      expect(await chunksOf(id, '', 'POST')).toEqual(all);
      expect(await chunksOf(id, '?from=3')).toEqual(all.slice(3));
      expect((await ask('GET', `stream/${id}?from=-1`)).json).toMatchObject({ code: 'INVALID_REQUEST' });
    });

    async function streamed(input: object): Promise<Chunk[]> {
      const id = await run({ op: 'stream', ...input });
      await ended(id);
      return chunksOf(id);
    }

    it('[chunk.size][limits.chunk][chunk.pieces] splits chunks of more than 1 MB without loss', async () => {
      const size = 5 * MB;
      const chunks = await streamed({ chunks: 3, size });
      const largest = Math.max(...chunks.map((chunk) => Buffer.byteLength(JSON.stringify(chunk))));
      expect(largest).toBeLessThanOrEqual(MB);
      expect(largest).toBeGreaterThan(MB - 200);
      expect(chunks.map(({ output }) => String(output).length).reduce((a, b) => a + b)).toBe(3 * (size - 2));
      expect(chunks.map(({ metrics }) => metrics.stream_index)).toEqual(chunks.map((_, n) => n));
      expect(chunks.filter((chunk) => 'part' in chunk || 'parts' in chunk)).toEqual([]);
    });

    it('[chunk.size][limits.chunk] cuts an output of exactly 1 MB, because its element is larger', async () => {
      const chunks = await streamed({ chunks: 1, size: MB });
      expect(chunks.map(({ metrics }) => metrics.stream_index)).toEqual([0, 1]);
      expect(chunks.map(({ output }) => output).join('').length).toBe(MB - 2);
    });

    it('[chunk.pieces] splits a large array into several arrays', async () => {
      const chunks = await streamed({ chunks: 1, size: MB + 2, as: 'array' });
      expect(chunks.map(({ output }) => (output as string[]).map(({ length }) => length))).toEqual([
        [MB / 2 - 3],
        [MB / 2 - 2],
      ]);
    });

    it('[chunk.part] splits a large object into numbered parts, which together are its JSON', async () => {
      const chunks = await streamed({ chunks: 1, size: 2 * MB + 2, as: 'object' });
      expect(chunks.map(({ part, parts }) => [part, parts])).toEqual([
        [1, 3],
        [2, 3],
        [3, 3],
      ]);
      const { a } = JSON.parse(chunks.map(({ output }) => String(output)).join('')) as { a: string };
      expect(a.length).toBe(2 * MB + 2 - '{"a":""}'.length);
    });

    it('[chunk.kept] can be read after a cancel', async () => {
      const id = await run({ op: 'stream', chunks: 1_000, size: 12, ms: 100 });
      const seen = await eventually('chunks exist', async () => {
        const chunks = await chunksOf(id);
        return chunks.length > 1 ? chunks : undefined;
      });
      await ask('POST', `cancel/${id}`);
      expect((await ended(id)).json).toMatchObject({ status: 'CANCELLED' });
      const kept = await chunksOf(id);
      expect(kept.slice(0, seen.length)).toEqual(seen);
    });

    it('[chunk.aggregated] is the output of a cancelled job, if its worker has returned a stream as its output before', async () => {
      const say = { op: 'say', values: [{ n: 1 }, 'two', 3] };
      const aggregating = new Set<unknown>();
      const record = await eventually('a worker that has aggregated streams again', async () => {
        const { workerId } = (await ended(await run({ ...say, aggregate: true }))).json;
        aggregating.add(workerId);
        const id = await run({ ...say, ms: 60_000 });
        await eventually('all chunks exist', async () => (await chunksOf(id))[say.values.length - 1]);
        await ask('POST', `cancel/${id}`);
        const { json } = await ended(id);
        return aggregating.has(json.workerId) ? json : undefined;
      });
      expect(record).toMatchObject({ status: 'CANCELLED', output: say.values });
    });

    it('[route.stream] is empty for a job that streams nothing', async () => {
      const id = await run({});
      await ended(id);
      expect(await chunksOf(id)).toEqual([]);
    });
  });

  describe('the metrics of a chunk', () => {
    const numbers = {
      avg_gen_throughput: 12.5,
      avg_prompt_throughput: 0.25,
      cpu_kv_cache_usage: 0,
      gpu_kv_cache_usage: 0.5,
    };
    const integers = { input_tokens: 7, output_tokens: 1, pending: 2, running: 3, swapped: 4 };
    const sent = { ...numbers, ...integers, scenario: 'stream' };
    let chunks: Promise<Chunk[]> | undefined;
    const first = () =>
      (chunks ??= run({ op: 'progress', steps: 2, metrics: { ...sent, unknown: 1 } }).then(async (id) => {
        await ended(id);
        return chunksOf(id);
      }));

    it('[chunk.metrics][chunk.output] have the values that the worker sent, beside an output that is an object', async () => {
      const [one, two, ...others] = await first();
      expect(one).toEqual({ output: { step: 1, steps: 2 }, metrics: { ...sent, stream_index: 0 } });
      expect(two?.output).toEqual({ step: 2, steps: 2 });
      expect(others).toEqual([]);
    });

    it('[chunk.metrics.avg_gen_throughput][chunk.metrics.avg_prompt_throughput] report throughput', async () => {
      expect((await first())[0]?.metrics).toMatchObject({ avg_gen_throughput: 12.5, avg_prompt_throughput: 0.25 });
    });

    it('[chunk.metrics.cpu_kv_cache_usage][chunk.metrics.gpu_kv_cache_usage] report cache usage', async () => {
      expect((await first())[0]?.metrics).toMatchObject({ cpu_kv_cache_usage: 0, gpu_kv_cache_usage: 0.5 });
    });

    it('[chunk.metrics.input_tokens][chunk.metrics.output_tokens] count tokens', async () => {
      expect((await first())[0]?.metrics).toMatchObject({ input_tokens: 7, output_tokens: 1 });
    });

    it('[chunk.metrics.pending][chunk.metrics.running][chunk.metrics.swapped] count requests', async () => {
      expect((await first())[0]?.metrics).toMatchObject({ pending: 2, running: 3, swapped: 4 });
    });

    it('[chunk.metrics.scenario][chunk.metrics.stream_index] name the scenario, and number the chunks', async () => {
      const all = (await first()).map(({ metrics }) => [metrics.scenario, metrics.stream_index]);
      expect(all).toEqual([
        ['stream', 0],
        ['stream', 1],
      ]);
    });

    it('[chunk.metrics.dropped] are dropped if their name or type is wrong, and the log of the job names them', async () => {
      const metrics = { input_tokens: 1.5, scenario: 7, pending: '1', price: 12 };
      const id = await run({ op: 'progress', steps: 1, metrics });
      await ended(id);
      expect((await chunksOf(id))[0]?.metrics).toEqual({ running: 1, stream_index: 0 });
      const line = await eventually('the log names the dropped metrics', async () => {
        const lines = (await ask('GET', `logs/${id}`)).json.lines as readonly { readonly message: string }[];
        return lines.find(({ message }) => message.includes('Metrics of a chunk were dropped.'));
      });
      expect(JSON.parse(line.message).droppedMetrics).toEqual({
        input_tokens: 'not an integer',
        scenario: 'not a string',
        pending: 'not an integer',
        price: 'unknown name',
      });
    });
  });
}
