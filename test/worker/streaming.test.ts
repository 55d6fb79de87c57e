import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../acceptance/local-service.ts';
import { createSharedWorkers, type WorkerProcess } from './worker-process.ts';

const workers = createSharedWorkers();
let worker: WorkerProcess;
afterEach(() => workers.endOthers());
afterAll(() => workers.end());

const streamed = () => worker.agent.chunks.map(({ id, body }) => [id, JSON.parse(body) as unknown]);

describe('a handler that streams', () => {
  it('as a generator sends what it yields, and has an empty array as its output', async () => {
    worker = await workers.waiting();
    worker.agent.give('a', { op: 'generate', values: ['x', { y: 1 }, null, [2]] });
    expect(await worker.reported('a')).toEqual({ output: [] });
    expect(streamed()).toEqual(['x', { y: 1 }, null, [2]].map((output) => ['a', { output }]));
  });

  it('as a generator may return an output of its own', async () => {
    worker = await workers.waiting({ AGGREGATE: 'true' });
    worker.agent.give('a', { op: 'generate', values: [1], result: { sum: 1 } });
    expect(await worker.reported('a')).toEqual({ output: { sum: 1 } });
  });

  it('has all its chunks as its output if it wants so', async () => {
    worker = await workers.waiting({ AGGREGATE: 'true' });
    worker.agent.give('a', { op: 'generate', values: ['x', { y: 1 }] });
    expect(await worker.reported('a')).toEqual({ output: ['x', { y: 1 }] });
    worker.agent.give('b', { op: 'generate', values: [] });
    expect(await worker.reported('b')).toEqual({ output: [] });
  });

  it('fails with what it throws, after what it has sent', async () => {
    worker = await workers.waiting();
    worker.agent.give('a', { op: 'generate', values: [1], message: 'half way' });
    expect(await worker.reported('a')).toEqual({ error: 'half way' });
    expect(streamed()).toEqual([['a', { output: 1 }]]);
  });

  it('sends in the order of its calls, all of them before it is over, whether it waits or not', async () => {
    worker = await workers.waiting();
    worker.agent.give('a', { op: 'chunks', chunks: 50 });
    expect(await worker.reported('a')).toEqual({ output: { chunks: 50 } });
    const all = Array.from({ length: 50 }, (_, n) => ['a', { output: n, metrics: { output_tokens: n } }]);
    expect(streamed()).toEqual(all);
  });

  it('fails if a chunk is refused, and the worker goes on', async () => {
    worker = await workers.waiting();
    worker.agent.refuseChunks([413]);
    worker.agent.give('a', { op: 'chunks', chunks: 3 });
    expect(await worker.reported('a')).toEqual({ error: 'The chunk is refused.' });
    worker.agent.give('b', { op: 'answer' });
    expect(await worker.reported('b')).toMatchObject({ output: { id: 'b' } });
  });

  it('sends a chunk again that the agent could not store', async () => {
    worker = await workers.waiting();
    worker.agent.refuseChunks([500]);
    worker.agent.give('a', { op: 'chunks', chunks: 2 });
    expect(await worker.reported('a')).toEqual({ output: { chunks: 2 } });
    expect(streamed()).toHaveLength(2);
  });

  it('is ended between two chunks when the job shall stop', async () => {
    worker = await workers.waiting();
    worker.agent.give('a', { op: 'drip' });
    await eventually('it drips', () => worker.agent.chunks.length > 3 || undefined);
    worker.agent.stop('a');
    await eventually('the worker has let go', () => worker.agent.letGos === 1 || undefined);
    worker.agent.give('b', { op: 'answer' });
    expect(await worker.reported('b')).toMatchObject({ output: { id: 'b' } });
    // The same process: nothing had to be killed.
    expect(new Set(worker.notes('job').map(({ pid }) => pid)).size).toBe(1);
    expect(streamed().some(([id]) => id === 'b')).toBe(false);
  });
});
