/** Counts the reads of polls, and compares what they return with one call and with two. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { OnClient } from '../../aws/clients.ts';
import { createPayloadPorts } from '../../aws/payload-ports.ts';
import { deliveryOf } from '../../core/jobs/delivery-key.ts';
import { jobId } from '../../core/jobs/id.ts';
import { JobNotFound } from '../../core/requests/errors.ts';
import { status } from '../../core/status/status.ts';
import { retry } from '../../core/submission/retry.ts';
import { run } from '../../core/submission/submit.ts';
import { finish } from '../../core/workers/report.ts';
import { take } from '../../core/workers/take.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const { ports: plain } = emulated;

interface Answer {
  readonly output: { Responses?: object; UnprocessedKeys?: object };
}

let commands: string[];
/** Changes the responses to reads of two items. */
let change: (output: Answer['output']) => object;

const record: OnClient = (client) =>
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        commands.push(commandName.replace('Command', ''));
        const answer = await next(args);
        const isBatch = commandName === 'BatchGetItemCommand';
        return isBatch ? { ...answer, output: { ...answer.output, ...change((answer as Answer).output) } } : answer;
      },
    { step: 'initialize', priority: 'high', name: 'record' },
  );

let ports: ReturnType<typeof createPayloadPorts>;
beforeEach(() => {
  // Each process begins without knowledge of the endpoints.
  ports = createPayloadPorts({ clock: emulated.clock, onClient: record });
  commands = [];
  change = () => ({});
});

const WEBHOOK = 'https://receiver.example/';

async function submitted(endpoint: string, webhook?: string): Promise<string> {
  const body = Buffer.from(JSON.stringify({ input: {}, webhook }));
  return (await run(plain, { endpoint, owner: 'ada', body })).id;
}

async function runToEnd(endpoint: string, id: string, attempt = 0) {
  const taken = await take(plain, 'worker-1', { endpoint, job: id, attempt, generation: 0 });
  if (taken.outcome !== 'taken') throw new Error(`The job is ${taken.outcome}.`);
  await finish(plain, taken.job, { error: 'no' });
}

/** Stores an acknowledged delivery of the job's last completion. */
async function deliver(endpoint: string, id: string, lastStatus: number): Promise<void> {
  const job = await plain.jobs.read({ endpoint, id });
  const key = job && deliveryOf(job);
  if (!key) throw new Error('The job has no delivery.');
  const now = emulated.clock.now();
  const claim = {
    call: 'c',
    turn: 't',
    earlierTurns: [],
    now,
    leaseEnds: now + 1_000,
    removeAfter: Math.ceil(now / 1_000) + 3_600,
  };
  await plain.deliveries.claim(key, claim);
  await plain.deliveries.saveOutcome(key, claim, { state: 'DELIVERED', lastStatus }, now);
}

async function ended(endpoint: string, webhook?: string): Promise<string> {
  const id = await submitted(endpoint, webhook);
  await runToEnd(endpoint, id);
  if (webhook) await deliver(endpoint, id, 200);
  return id;
}

/** Polls the job, and returns its record and the reads. */
async function poll(endpoint: string, id: string) {
  commands = [];
  const text = String(await status(ports, { endpoint, id }));
  return { text, webhook: (JSON.parse(text) as { webhook?: unknown }).webhook, reads: commands };
}

const ONE = ['BatchGetItem'];
const TWO = ['GetItem', 'GetItem'];
const delivered = { state: 'DELIVERED', attempts: 1, lastStatus: 200 };

describe('a poll of a job with a webhook', () => {
  it('reads the job and the delivery in one call if the job of the last poll had a delivery', async () => {
    await emulated.deploy('po-a');
    const id = await ended('po-a', WEBHOOK);
    const [first, second] = [await poll('po-a', id), await poll('po-a', id)];
    expect([first.reads, second.reads]).toEqual([TWO, ONE]);
    expect(second.text).toBe(first.text);
    expect(second.webhook).toEqual(delivered);
    const other = await poll('po-a', await ended('po-a', WEBHOOK));
    expect(other).toMatchObject({ reads: ONE, webhook: delivered });
  });

  it('is no reason to read deliveries with jobs of other endpoints', async () => {
    await Promise.all([emulated.deploy('po-b'), emulated.deploy('po-c')]);
    await poll('po-b', await ended('po-b', WEBHOOK));
    expect((await poll('po-c', await ended('po-c'))).reads).toEqual(['GetItem']);
  });

  it('returns the delivery of the last completion of a retried job', async () => {
    await emulated.deploy('po-d');
    const id = await ended('po-d', WEBHOOK);
    await poll('po-d', id);
    await retry(plain, { endpoint: 'po-d', id });
    expect((await poll('po-d', id)).webhook).toEqual({ state: 'PENDING', attempts: 0 });
    await runToEnd('po-d', id, 1);
    await deliver('po-d', id, 202);
    await poll('po-d', id);
    const { reads, webhook } = await poll('po-d', id);
    expect(reads).toEqual(['BatchGetItem', 'GetItem']);
    expect(webhook).toEqual({ ...delivered, lastStatus: 202 });
  });

  it('returns a delivery that has not begun', async () => {
    await emulated.deploy('po-e');
    await poll('po-e', await ended('po-e', WEBHOOK));
    const id = await submitted('po-e', WEBHOOK);
    await runToEnd('po-e', id);
    expect(await poll('po-e', id)).toMatchObject({ reads: ONE, webhook: { state: 'PENDING', attempts: 0 } });
  });

  it.each([
    ['JOBS_TABLE', ['BatchGetItem', 'GetItem', 'GetItem']],
    ['DELIVERIES_TABLE', ['BatchGetItem', 'GetItem']],
  ])('reads again what DynamoDB has not read from %s', async (table, reads) => {
    const endpoint = `po-${table.slice(0, 4).toLowerCase()}`;
    await emulated.deploy(endpoint);
    const id = await ended(endpoint, WEBHOOK);
    await poll(endpoint, id);
    change = ({ Responses }) => ({
      Responses: { ...Responses, [table]: [] },
      UnprocessedKeys: { [table]: { Keys: [{ partition: 'any' }] } },
    });
    expect(await poll(endpoint, id)).toMatchObject({ reads, webhook: delivered });
  });
});

describe('a poll of a job without a delivery', () => {
  it('ends the reads of deliveries', async () => {
    await emulated.deploy('po-f');
    await poll('po-f', await ended('po-f', WEBHOOK));
    const [other, waiting] = [await ended('po-f'), await submitted('po-f', WEBHOOK)];
    expect((await poll('po-f', other)).reads).toEqual(ONE);
    expect((await poll('po-f', other)).reads).toEqual(['GetItem']);
    expect(await poll('po-f', waiting)).toMatchObject({ webhook: { state: 'PENDING', attempts: 0 } });
    expect((await poll('po-f', other)).reads).toEqual(['GetItem']);
  });

  it('reports a job that does not exist', async () => {
    await emulated.deploy('po-g');
    await poll('po-g', await ended('po-g', WEBHOOK));
    const id = jobId('run', emulated.clock.now(), Buffer.alloc(32));
    await expect(poll('po-g', id)).rejects.toThrow(JobNotFound);
    await expect(poll('po-g', 'no-id')).rejects.toThrow(JobNotFound);
  });
});
