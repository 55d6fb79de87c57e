import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../acceptance/local-service.ts';
import { createSharedWorkers, type WorkerProcess } from './worker-process.ts';

const workers = createSharedWorkers();
let worker: WorkerProcess;
afterEach(() => workers.endOthers());
afterAll(() => workers.end());

const streamed = () => worker.agent.chunks.map(({ id, body }) => [id, JSON.parse(body) as unknown]);

describe('a handler that streams', () => {
  it('sends the values that a generator yields, and has an empty array as its output', async () => {
    worker = await workers.waiting();
    worker.agent.give('a', { op: 'generate', values: ['x', { y: 1 }, null, [2]] });
    expect(await worker.reported('a')).toEqual({ output: [] });
    expect(streamed()).toEqual(['x', { y: 1 }, null, [2]].map((output) => ['a', { output }]));
  });

  it('has the value that a generator returns as its output', async () => {
    worker = await workers.waiting({ AGGREGATE: 'true' });
    worker.agent.give('a', { op: 'generate', values: [1], result: { sum: 1 } });
    expect(await worker.reported('a')).toEqual({ output: { sum: 1 } });
  });

  it('has all chunks as its output with `aggregateStream`', async () => {
    worker = await workers.waiting({ AGGREGATE: 'true' });
    worker.agent.give('a', { op: 'generate', values: ['x', { y: 1 }] });
    expect(await worker.reported('a')).toEqual({ output: ['x', { y: 1 }] });
    worker.agent.give('b', { op: 'generate', values: [] });
    expect(await worker.reported('b')).toEqual({ output: [] });
  });

  it('fails with the error that it throws, after the chunks that it has sent', async () => {
    worker = await workers.waiting();
    worker.agent.give('a', { op: 'generate', values: [1], message: 'half way' });
    expect(await worker.reported('a')).toEqual({ error: 'half way' });
    expect(streamed()).toEqual([['a', { output: 1 }]]);
  });

  it('sends chunks in the order of its calls, and all before its end, even if it does not await them', async () => {
    worker = await workers.waiting();
    worker.agent.give('a', { op: 'chunks', chunks: 50 });
    expect(await worker.reported('a')).toEqual({ output: { chunks: 50 } });
    const all = Array.from({ length: 50 }, (_, n) => ['a', { output: n, metrics: { output_tokens: n } }]);
    expect(streamed()).toEqual(all);
  });

  it('fails if a chunk is refused, and the worker takes the next job', async () => {
    worker = await workers.waiting();
    worker.agent.refuseChunks([413]);
    worker.agent.give('a', { op: 'chunks', chunks: 3 });
    expect(await worker.reported('a')).toEqual({ error: 'The chunk is refused.' });
    worker.agent.give('b', { op: 'answer' });
    expect(await worker.reported('b')).toMatchObject({ output: { id: 'b' } });
  });

  it('retries a chunk that the agent could not store', async () => {
    worker = await workers.waiting();
    worker.agent.refuseChunks([500]);
    worker.agent.give('a', { op: 'chunks', chunks: 2 });
    expect(await worker.reported('a')).toEqual({ output: { chunks: 2 } });
    expect(streamed()).toHaveLength(2);
  });

  it('stops between two chunks when the job must stop', async () => {
    worker = await workers.waiting();
    worker.agent.give('a', { op: 'drip' });
    await eventually('it drips', () => worker.agent.chunks.length > 3 || undefined);
    worker.agent.stop('a');
    await eventually('the worker has released the job', () => worker.agent.letGos === 1 || undefined);
    worker.agent.give('b', { op: 'answer' });
    expect(await worker.reported('b')).toMatchObject({ output: { id: 'b' } });
    // The process is the same, because it was not killed.
    expect(new Set(worker.events('job').map(({ pid }) => pid)).size).toBe(1);
    expect(streamed().some(([id]) => id === 'b')).toBe(false);
  });
});
