import { describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { JOB_ID } from '../../core/jobs/id.ts';
import { EndpointNotFound, InvalidRequest } from '../../core/requests/errors.ts';
import { status } from '../../core/status/status.ts';
import { run } from '../../core/submission/submit.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const { ports } = emulated;

/** An address at which no server listens. */
const GONE = 'http://127.0.0.1:1/000000000000/gone';

const submit = (endpoint: string, body: unknown) =>
  run(ports, { endpoint, owner: 'ada', body: Buffer.from(JSON.stringify(body)) });

describe('run', () => {
  it('returns an id and IN_QUEUE, and the job can be read immediately', async () => {
    await emulated.deploy('run-a');
    const answer = await submit('run-a', { input: {} });
    expect(answer).toEqual({ id: expect.stringMatching(JOB_ID), status: 'IN_QUEUE' });
    expect(JSON.parse(String(await status(ports, { endpoint: 'run-a', id: answer.id })))).toEqual({
      id: answer.id,
      status: 'IN_QUEUE',
      delayTime: 0,
      executionTime: 0,
      attempts: 0,
      queuePosition: 1,
      waitReason: 'NO_WORKER',
    });
  });

  it('reports the id of a job only if the job might have been stored', async () => {
    await emulated.deploy('run-lost');
    const reported: string[] = [];
    const ask = (parts: object, body = '{"input":{}}') =>
      run(portsWith(ports, parts), { endpoint: 'run-lost', owner: 'ada', body: Buffer.from(body) }, (id) =>
        reported.push(id),
      );
    const lost = async () => Promise.reject(new Error('lost'));
    await expect(ask({ jobs: { create: lost } })).rejects.toThrow('lost');
    expect(reported).toEqual([expect.stringMatching(JOB_ID)]);
    const large = JSON.stringify({ input: { text: 'x'.repeat(500) } });
    await expect(ask({ payloads: { write: lost } }, large)).rejects.toThrow('lost');
    await expect(ask({}, '{}')).rejects.toThrow(InvalidRequest);
    expect(reported).toHaveLength(1);
  });

  it('stores the defaults of the contract, and the endpoint setting for the execution timeout', async () => {
    await emulated.deploy('run-b', { executionTimeout: 7_000 });
    const { id } = await submit('run-b', { input: {} });
    expect(await ports.jobs.read({ endpoint: 'run-b', id })).toMatchObject({
      owner: 'ada',
      queueTtl: 86_400_000,
      executionTimeout: 7_000,
      lowPriority: false,
      retention: 1_800_000,
      acceptedAt: emulated.clock.now(),
    });
  });

  it('uses the policy of the request instead of the settings of the endpoint', async () => {
    await emulated.deploy('run-c', { executionTimeout: 7_000 });
    const { id } = await submit('run-c', { input: {}, policy: { executionTimeout: 9_000, ttl: 10_000 } });
    expect(await ports.jobs.read({ endpoint: 'run-c', id })).toMatchObject({
      executionTimeout: 9_000,
      queueTtl: 10_000,
    });
  });

  it('sends the message to a queue for the priority of the job', async () => {
    const { normalQueueUrls, lowQueueUrls } = await emulated.deploy('run-d');
    const [normalQueueUrl, lowQueueUrl] = [normalQueueUrls[0], lowQueueUrls[0]];
    const normal = await submit('run-d', { input: {} });
    const low = await submit('run-d', { input: {}, policy: { lowPriority: true } });
    expect(await emulated.nextMessage(normalQueueUrl)).toMatchObject({ endpoint: 'run-d', job: normal.id, attempt: 0 });
    expect(await emulated.nextMessage(lowQueueUrl)).toMatchObject({ endpoint: 'run-d', job: low.id });
  });

  it('stores small inputs in the job and large inputs in the payloads table or an object', async () => {
    await emulated.deploy('run-e');
    const small = await submit('run-e', { input: { a: 1 } });
    const large = await submit('run-e', { input: { a: 'x'.repeat(5_000) } });
    expect(await ports.jobs.read({ endpoint: 'run-e', id: small.id })).toHaveProperty('input', { inline: '{"a":1}' });
    expect(await ports.jobs.read({ endpoint: 'run-e', id: large.id })).toHaveProperty('input', {
      stored: 'input',
      bytes: 5_008,
    });
    expect(await ports.payloads.read({ endpoint: 'run-e', id: large.id }, 'input')).toHaveLength(5_008);
  });

  it('refuses an endpoint that is not deployed and an invalid body, and stores nothing', async () => {
    const [normalQueueUrl] = (await emulated.deploy('run-f')).normalQueueUrls;
    await expect(submit('nowhere', { input: {} })).rejects.toThrow(EndpointNotFound);
    await expect(submit('run-f', { input: [] })).rejects.toThrow(InvalidRequest);
    expect(await Array.fromAsync(ports.jobs.list('run-f'))).toEqual([]);
    expect(await emulated.nextMessage(normalQueueUrl)).toBeUndefined();
  });

  it('does not acknowledge a job without a message', async () => {
    await emulated.deploy('run-g', { normalQueueUrls: [GONE, GONE] });
    await expect(submit('run-g', { input: {} })).rejects.toThrow();
  });
});
