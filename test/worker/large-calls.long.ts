/** Tests calls of a worker with so many values that the agent would stop if it created all of them. */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { payloadLimits } from '../../core/limits.ts';
import { status } from '../../core/status/status.ts';
import { log } from './agents.ts';
import { busyAgent } from './busy-agent.ts';
import { ports, useEmulatedAgents } from './emulated-agents.ts';

useEmulatedAgents();

const MAX_CALL = 30 * 1_024 * 1_024;

/** Returns an array of this many bytes that has a third as many elements. */
const manyArrays = (bytes: number) => `[${'[],'.repeat(bytes / 3)}1]`;

afterEach(() => void jest.restoreAllMocks());

describe('a call of a worker with millions of values', () => {
  it('ends the job FAILED with the beginning of an error that is an array', async () => {
    const { id, post, read } = await busyAgent('large-a');
    // Parsing would create millions of arrays, which take ten times the memory of their text.
    const parse = jest.spyOn(JSON, 'parse');
    const done = await post('job-done', id, `{"error":${manyArrays(payloadLimits.output)}}`);
    expect(done.status).toBe(200);
    expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(payloadLimits.field);
    expect(await read(id)).toMatchObject({ status: 'FAILED', code: 'WORKER_ERROR' });
    const record = JSON.parse(String(await status(ports, { endpoint: 'large-a', id }))) as { error: string };
    expect(record.error.slice(0, 10)).toBe('[[],[],[],');
  });

  it('stores the chunk and drops metrics above 64 KB, which the answer names', async () => {
    const { id, post } = await busyAgent('large-b');
    const metrics = `{${'"a":1,'.repeat(payloadLimits.field / 6)}"b":1}`;
    const answer = await post('job-stream', id, `{"output":1,"metrics":${metrics}}`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ droppedMetrics: { metrics: 'longer than 65536 characters' } });
  });

  it('does not end the job above 30 MB if it is progress, which the agent drops and logs', async () => {
    const info = jest.fn();
    const { id, post, read } = await busyAgent('large-d', { log: { ...log, info } });
    const output = `"${'a'.repeat(MAX_CALL)}"`;
    // The SDK of RunPod sends the status first. A worker without an SDK can send it last.
    const bodies = [`{"status":"IN_PROGRESS","output":${output}}`, `{"output": ${output} ,"status":"IN_PROGRESS"}`];
    for (const body of bodies) expect((await post('job-done', id, body)).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: 'IN_PROGRESS' });
    const reason = `it has ${output.length} bytes; at most ${payloadLimits.output} are allowed`;
    expect(info).toHaveBeenCalledWith(`Progress was dropped, because ${reason}.`, { jobId: id });
    expect((await post('job-done', id, '{"output":"end"}')).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: 'COMPLETED', output: { inline: '"end"' } });
  });

  it('names the size of the output above 30 MB, and still replaces the worker that requests it', async () => {
    const { agent, id, post } = await busyAgent('large-e');
    // Brackets, quotes and commas in a value end no member.
    const output = `["}],\\"",${'[],'.repeat(MAX_CALL / 3)}1]`;
    expect((await post('job-done', id, `{"output":${output},"stopPod":true}`)).status).toBe(200);
    const record = JSON.parse(String(await status(ports, { endpoint: 'large-e', id }))) as { error: string };
    expect(record).toMatchObject({ status: 'FAILED', code: 'OUTPUT_TOO_LARGE' });
    expect(record.error).toContain(`The output has ${output.length} bytes`);
    expect(agent.isFree()).toBe(false);
  });

  it('fails the job above 30 MB with its error, or with the size of the report if its output is not the reason', async () => {
    const results = [];
    for (const [n, first] of ['"error":"Out of memory"', '"output":1'].entries()) {
      const { id, post } = await busyAgent(`large-f${n}`);
      await post('job-done', id, `{${first},"metrics":"${'a'.repeat(MAX_CALL)}"}`);
      results.push(JSON.parse(String(await status(ports, { endpoint: `large-f${n}`, id }))));
    }
    const size = `{"output":1,"metrics":""}`.length + MAX_CALL;
    expect(results).toMatchObject([
      { status: 'FAILED', code: 'WORKER_ERROR', error: 'Out of memory' },
      { code: 'WORKER_ERROR', error: `The worker's report has ${size} bytes; at most ${MAX_CALL} are allowed.` },
    ]);
  });

  it('is refused above 30 MB, as a chunk with 413 and as a result with OUTPUT_TOO_LARGE', async () => {
    const { id, post, read } = await busyAgent('large-c');
    const body = `{"output":"${'a'.repeat(MAX_CALL)}"}`;
    const chunk = await post('job-stream', id, body);
    expect(chunk.status).toBe(413);
    expect(await chunk.text()).toBe(`The call has ${body.length} bytes; at most ${MAX_CALL} are allowed.`);
    expect((await post('job-done', id, body)).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: 'FAILED', code: 'OUTPUT_TOO_LARGE' });
  });
});
