import { describe, expect, it } from '@jest/globals';
import { inlineAtEnd, itemBytes, jobBytes, WRITE_UNIT } from '../../core/jobs/item-size.ts';
import type { RunningJob } from '../../core/jobs/job.ts';
import { grantLimits } from '../../core/keys/grant.ts';
import { payloadLimits, policyLimits } from '../../core/limits.ts';
import { run } from '../../core/submission/submit.ts';
import { finish } from '../../core/workers/report.ts';
import { take } from '../../core/workers/take.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const { ports } = emulated;

/** The longest id of an endpoint, owner, caller and worker. */
const longest = {
  endpoint: 'e'.repeat(63),
  owner: 'o'.repeat(grantLimits.text),
  keyId: '0123456789ab',
  worker: '0123456789abcdef'.repeat(2),
};

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

interface Sizes {
  readonly input: number;
  readonly webhook: number;
  readonly output: number;
  readonly error?: number;
}

/** Returns the job with the longest names and payloads of these sizes, when it has ended. */
async function ended({ input, webhook, output, error }: Sizes, names = longest) {
  const { endpoint, owner, keyId, worker } = names;
  await emulated.deploy(endpoint, { streamEnvelope: true });
  const url = `https://example.com/${'w'.repeat(webhook)}`.slice(0, webhook);
  const body = JSON.stringify({
    input: { text: 'x'.repeat(input - 11) },
    ...(webhook > 0 && { webhook: url }),
    s3Config: { accessId: 'a', accessSecret: 'b', bucketName: 'c', endpointUrl: 'https://example.com' },
    policy: { ttl: policyLimits.ttl.max, executionTimeout: policyLimits.executionTimeout.max, lowPriority: true },
  });
  const { id } = await run(ports, { endpoint, owner, keyId, traceparent, body: Buffer.from(body) });
  const message = { endpoint, job: id, attempt: 0, generation: 0 };
  const taken = await take(ports, worker, message, { revision: 54_321, aggregates: true });
  if (taken.outcome !== 'taken') throw new Error(`The job is ${taken.outcome}.`);
  const report = {
    output: JSON.stringify('o'.repeat(output - 2)),
    chunks: 12_345,
    ...(error !== undefined && { error: 'e'.repeat(error), code: 'RESULT_NOT_REPORTED' as const }),
  };
  await finish(ports, taken.job, report, () => policyLimits.executionTimeout.max);
  const job = await ports.jobs.read({ endpoint, id });
  if (!job || !('finishedAt' in job)) throw new Error('The job has not ended.');
  return job;
}

const { inline, inlineWebhook } = payloadLimits;

describe('the item of a job', () => {
  it.each([
    ['completed', { input: inline, webhook: inlineWebhook, output: inline }],
    ['failed', { input: inline, webhook: inlineWebhook, output: inline, error: inline }],
    ['failed, with payloads outside of the item', { input: 9_000, webhook: 900, output: 9_000, error: 9_000 }],
  ])('has at most 1 KB with the longest names when the job has %s', async (_, sizes) => {
    const job = await ended(sizes);
    expect(jobBytes(job)).toBeLessThanOrEqual(WRITE_UNIT);
    expect(job).toMatchObject({ key: longest.keyId, revision: 54_321 });
    expect(job).not.toHaveProperty('trace');
  });

  it('contains the payloads if the names are short', async () => {
    const names = { endpoint: 'chat', owner: 'team-a', keyId: '0123456789ab', worker: longest.worker };
    const job = await ended({ input: inline, webhook: 0, output: 120 }, names);
    expect(job).toHaveProperty('input.inline');
    expect(job).toHaveProperty('output.inline');
    expect(job).toHaveProperty('workerTime');
    expect(job).toHaveProperty('trace');
  });

  it('is counted as DynamoDB counts it', () => {
    // A name, a string, a number of 13 digits, a Boolean, and a map with one element.
    expect(itemBytes({ ab: 'text', n: 1_700_000_000_123, is: true, m: { inline: 'é' } })).toBe(
      6 + 9 + 3 + 1 + 3 + 6 + 2 + 1,
    );
  });

  it('leaves no space below zero', () => {
    const job = { endpoint: 'e', id: 'i'.repeat(2_000) } as unknown as RunningJob;
    expect(inlineAtEnd(job, 'output')).toBe(0);
  });
});
