/** How an agent learns that its container returns the chunks of a job as its output, over the worker protocol. */
import { describe, expect, it } from '@jest/globals';
import { cancel } from '../../core/jobs/cancel.ts';
import { payloadLimits } from '../../core/limits.ts';
import { status } from '../../core/status/status.ts';
import { stream } from '../../core/streams/stream.ts';
import { eventually } from '../acceptance/local-service.ts';
import { openAgent } from './busy-agent.ts';
import { agents, emulated, ports, useEmulatedAgents } from './emulated-agents.ts';

useEmulatedAgents();

const TIMEOUT = 6_000;
const body = `{"input":{},"policy":{"executionTimeout":${TIMEOUT}}}`;
const CHUNKS = ['{"n": 0}', '1', '"two"', '[3]', 'null'];
const aggregated = `{"output": [${CHUNKS.join(', ')}]}`;

/** A container that takes one job at a time. */
async function container(endpoint: string) {
  const opened = await openAgent(endpoint);

  async function chunksOf(id: string): Promise<unknown[]> {
    const text = (await Array.fromAsync(await stream(ports, { endpoint, id }))).join('');
    return (JSON.parse(text) as { output: unknown }[]).map(({ output }) => output);
  }

  /** Takes a job, and streams the chunks until they can be read. */
  async function take(chunks: readonly string[] = CHUNKS): Promise<string> {
    const id = await agents.submit(endpoint, body);
    await (await fetch(`${opened.url}/job-take/self`)).json();
    for (const output of chunks) await opened.post('job-stream', id, `{"output":${output}}`);
    await eventually('all chunks can be read', async () => (await chunksOf(id)).length >= chunks.length || undefined);
    return id;
  }

  /** Takes a job, streams the chunks, and reports the result. */
  async function run(result: string, chunks?: readonly string[]): Promise<string> {
    const id = await take(chunks);
    expect((await opened.post('job-done', id, result)).status).toBe(200);
    return id;
  }

  const recordOf = async (id: string) => JSON.parse(String(await status(ports, { endpoint, id })));
  /** Cancels a job after its chunks, and returns its output. */
  async function outputAfterCancel(): Promise<unknown> {
    const id = await take();
    await cancel(ports, { endpoint, id });
    await opened.post('job-done', id, aggregated);
    const { status: stored, output } = await recordOf(id);
    expect([stored, await chunksOf(id)]).toEqual(['CANCELLED', JSON.parse(`[${CHUNKS.join(',')}]`)]);
    return output;
  }

  return { ...opened, take, run, recordOf, outputAfterCancel };
}

describe('a container that aggregates', () => {
  it('has returned the chunks of one job, and from then on records of ended jobs contain the chunks', async () => {
    const { run, take, recordOf, outputAfterCancel, post } = await container('ag-a');
    const output = JSON.parse(`[${CHUNKS.join(',')}]`) as unknown;
    expect(await outputAfterCancel()).toBeUndefined();
    expect(await recordOf(await run(aggregated))).toMatchObject({ status: 'COMPLETED', output });

    expect(await outputAfterCancel()).toEqual(output);
    expect(await recordOf(await run('{"error":"no"}'))).toMatchObject({ status: 'FAILED', output });
    const late = await take();
    emulated.clock.advance(TIMEOUT + 1);
    await post('job-done', late, aggregated);
    expect(await recordOf(late)).toMatchObject({ code: 'EXECUTION_TIMEOUT', output });
  });

  it('is known by the number of the chunks that it sent, although large chunks are split', async () => {
    const { run, outputAfterCancel } = await container('ag-b');
    const large = JSON.stringify('x'.repeat(2 * payloadLimits.chunk));
    await run(`{"output":[${large},1]}`, [large, '1']);
    expect(await outputAfterCancel()).toHaveLength(CHUNKS.length);
  });

  it.each([
    ['streams nothing', '{"output":[]}', []],
    ['fails', '{"error":"no"}', CHUNKS],
    ['fails with an output', '{"error":"no","output":1}', CHUNKS],
  ])('remains known after a job that %s', async (what, result, chunks) => {
    const { run, outputAfterCancel } = await container(`ag-c${what.length}`);
    await run(aggregated);
    await run(result, chunks);
    expect(await outputAfterCancel()).toHaveLength(CHUNKS.length);
  });

  it.each([
    ['an empty array', '{"output":[]}'],
    ['an array of another length', '{"output":[1,2]}'],
    ['an object', '{"output":{"a":1}}'],
    ['nothing', '{}'],
  ])('is not known any longer when it has returned %s instead of its chunks', async (what, result) => {
    const { run, outputAfterCancel } = await container(`ag-d${what.length}`);
    await run(aggregated);
    await run(result);
    expect(await outputAfterCancel()).toBeUndefined();
  });
});
