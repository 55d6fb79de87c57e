/**
 * Tests reading the input of a job, which is in the job, the payloads table or an object, depending on its size.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { input } from '../../core/jobs/input.ts';
import { retention } from '../../core/limits.ts';
import { EndpointNotFound, JobExpired, JobNotFound } from '../../core/requests/errors.ts';
import { run } from '../../core/submission/submit.ts';
import { finish } from '../../core/workers/report.ts';
import { take } from '../../core/workers/take.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const { ports } = emulated;

beforeAll(async () => {
  await emulated.deploy('given');
  await emulated.deploy('other');
});

const submit = async (body: string) =>
  (await run(ports, { endpoint: 'given', owner: 'ada', body: Buffer.from(body) })).id;
const read = async (id: string, endpoint = 'given') => String(await input(ports, { endpoint, id }));

describe('the input of a job', () => {
  it.each([10, 1_000, 10_000])('is returned byte for byte if it has a string of %d characters', async (size) => {
    const sent = `{ "big":12345678901234567890,"z":-0, "s":"\\u00e9é🙂","text":"${'x'.repeat(size)}" }`;
    expect(await read(await submit(`{"policy":{"lowPriority":true},"input":${sent}}`))).toBe(sent);
  });

  it('is returned byte for byte if it has 9 MB', async () => {
    const sent = `{"text":"${'é'.repeat(4_500_000)}"}`;
    // Not `expect(...).toBe(sent)`: a failure would print 9 MB.
    expect((await read(await submit(`{"input":${sent}}`))) === sent).toBe(true);
  });

  it('contains no part of s3Config, webhook or policy', async () => {
    const body = { input: { a: 1 }, s3Config: { accessSecret: 'hidden' }, webhook: 'https://example.com/hook' };
    expect(await read(await submit(JSON.stringify(body)))).toBe('{"a":1}');
  });

  it('can be read until the result expires', async () => {
    const id = await submit('{"input":{"kept":true}}');
    const taken = await take(ports, 'worker-1', { endpoint: 'given', job: id, attempt: 0, generation: 0 });
    if (taken.outcome !== 'taken') throw new Error(`The job is ${taken.outcome}.`);
    await finish(ports, taken.job, { output: '1' });
    emulated.clock.advance(retention.run - 1);
    expect(await read(id)).toBe('{"kept":true}');
    emulated.clock.advance(1);
    await expect(read(id)).rejects.toThrow(JobExpired);
  });

  it('is not found under another endpoint, another id, or an endpoint that is not deployed', async () => {
    const id = await submit('{"input":{"mine":true}}');
    await expect(read(id, 'other')).rejects.toThrow(JobNotFound);
    await expect(read('0'.repeat(36))).rejects.toThrow(JobNotFound);
    await expect(read(id, 'nowhere')).rejects.toThrow(EndpointNotFound);
  });
});
