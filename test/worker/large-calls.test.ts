/** Tests calls of a worker with so many values that the agent would stop if it created all of them. */
import { describe, expect, it } from '@jest/globals';
import { payloadLimits } from '../../core/limits.ts';
import { MAX_CALL } from '../../worker/gateway/reports.ts';
import { busyAgent } from './busy-agent.ts';
import { useEmulatedAgents } from './emulated-agents.ts';

useEmulatedAgents();

/** Returns an array of this many bytes that has a third as many elements. */
const manyArrays = (bytes: number) => `[${'[],'.repeat(bytes / 3)}1]`;

describe('a call of a worker with millions of values', () => {
  it('ends the job FAILED with the beginning of an error that is an array', async () => {
    const { id, post, read } = await busyAgent('large-a');
    const done = await post('job-done', id, `{"error":${manyArrays(payloadLimits.output)}}`);
    expect(done.status).toBe(200);
    expect(await read(id)).toMatchObject({ status: 'FAILED', code: 'WORKER_ERROR' });
  });

  it('stores the chunk and drops metrics above 64 KB, which the answer names', async () => {
    const { id, post } = await busyAgent('large-b');
    const metrics = `{${'"a":1,'.repeat(payloadLimits.field / 6)}"b":1}`;
    const answer = await post('job-stream', id, `{"output":1,"metrics":${metrics}}`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ droppedMetrics: { metrics: 'longer than 65536 characters' } });
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
