/** Tests what forms of clients, and outputs and chunks of workers can do to responses of `/openai`, over HTTP. */
import { describe, expect, it } from '@jest/globals';
import { storeChunkObject } from '../../core/jobs/payload.ts';
import { payloadLimits } from '../../core/limits.ts';
import { append } from '../../core/streams/append.ts';
import { finish } from '../../core/workers/report.ts';
import { useOpenAiCalls } from './openai-calls.ts';

const { emulated, post, stream, takeOnly, answered } = useOpenAiCalls();
const { ports } = emulated;
const DONE = 'data: [DONE]\n\n';

describe('a form of an OpenAI client', () => {
  it('is refused before anything is stored if its boundary is too long, with the allowed length', async () => {
    await emulated.deploy('ow-boundary');
    const boundary = 'a'.repeat(7_000);
    const body = `--${boundary}\r\nContent-Disposition: form-data; name="stream"\r\n\r\n\r\n--${'a'.repeat(6_999)}b`;
    const response = await post('ow-boundary', {
      headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
      body,
    });
    const { error } = (await response.json()) as { error: object };
    expect([response.status, error]).toMatchObject([
      400,
      {
        message: expect.stringContaining('its `boundary` has 7000 characters; at most 70 are allowed'),
        type: 'invalid_request_error',
        code: 'INVALID_REQUEST',
      },
    ]);
    expect(await Array.fromAsync(ports.jobs.list('ow-boundary'))).toEqual([]);
  });
});

describe('JSON that a worker returns as its client has sent it', () => {
  it.each([
    ['a type and bytes', '{"openai_content_type":"text/html","openai_base64":"PGI+"}'],
    ['a status', '{"openai_status":503,"openai_content_type":"text/html","openai_base64":"PGI+"}'],
    ['another job', '{"openai_job":"sync-1","openai_content_type":"text/html","openai_base64":"PGI+"}'],
  ])('decides neither the type nor the bytes of the response: %s', async (name, json) => {
    const response = await answered(`ow-echo-${name.replaceAll(' ', '')}`, { output: `[${json}]` });
    const types = ['Content-Type', 'X-Content-Type-Options'].map((header) => response.headers.get(header));
    expect([response.status, ...types]).toEqual([200, 'application/json', 'nosniff']);
    expect(await response.text()).toBe(json);
  });
});

describe('a stream of an OpenAI client', () => {
  async function begin(endpoint: string) {
    await emulated.deploy(endpoint);
    const response = stream(endpoint);
    return { job: await takeOnly(endpoint), response };
  }

  it('has an event for each element of a list that is larger than a slice', async () => {
    const { job, response } = await begin('ow-list');
    const count = 300_000;
    await finish(ports, job, { output: `[${'1,'.repeat(count - 1)}1]` });
    const text = await (await response).text();
    expect(text === `${'data: 1\n\n'.repeat(count)}${DONE}`).toBe(true);
  });

  it('ends with an error if its worker has stored parts without their beginning', async () => {
    const { job, response } = await begin('ow-parts');
    const output = { inline: '"x"' };
    await ports.chunks.write(job, job.attempt, 0, [{ output: { inline: '1' } }], job.removeAfter);
    await ports.chunks.write(job, job.attempt, 1, [{ output, part: 2, parts: 3 }], job.removeAfter);
    expect(await (await response).text()).toMatch(
      /^data: 1\n\ndata: \{"error":\{"message":"The worker of job .* part 2 of 3 follows part 0 of 1\."/,
    );
  });

  it('does not load a chunk that is larger than any that the service stores', async () => {
    const { job, response } = await begin('ow-large');
    const output = await storeChunkObject(ports, job, 0, `"${'x'.repeat(payloadLimits.chunk)}"`);
    await ports.chunks.write(job, job.attempt, 0, [{ output }], job.removeAfter);
    expect((await response).status).toBe(404);
  });

  it('contains the largest chunk', async () => {
    const { job, response } = await begin('ow-largest');
    const text = 'x'.repeat(payloadLimits.chunk - 1_000);
    await append(ports, job, 0, { output: JSON.stringify(text) });
    await finish(ports, job, { output: '[]', chunks: 1 });
    expect((await (await response).text()).startsWith(text)).toBe(true);
  });
});
