/** Restores and uses the jobs of each recording (docs/adr/0016). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { saveStart } from '../../core/fleet/start.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import type { RunningJob } from '../../core/jobs/job.ts';
import { load } from '../../core/jobs/payload.ts';
import { ENDPOINT_CACHE, HOUR, LEASE } from '../../core/limits.ts';
import { health } from '../../core/status/health.ts';
import { requests } from '../../core/status/requests.ts';
import { status } from '../../core/status/status.ts';
import { stream } from '../../core/streams/stream.ts';
import { retry } from '../../core/submission/retry.ts';
import { run } from '../../core/submission/submit.ts';
import { sweepDeadlines } from '../../core/sweeper/deadlines.ts';
import { sweepLeases } from '../../core/sweeper/sweep.ts';
import { resend } from '../../core/webhooks/resend.ts';
import { webhooks } from '../../core/webhooks/webhooks.ts';
import { finish } from '../../core/workers/report.ts';
import { take } from '../../core/workers/take.ts';
import { sharedEmulators } from '../runner/emulators.ts';
import { DRAINED, ENDPOINT, IDEMPOTENCY_KEY, INPUTS, S3_CONFIG } from './history.ts';
import { type Recording, readRecording, recordings, restore } from './recording.ts';
import { type Stage, startStage } from './stage.ts';

let stage: Stage;
let recording: Recording;

const idOf = (name: string) => recording.jobs[name] ?? '';
const statusOf = async (name: string, endpoint = ENDPOINT) =>
  JSON.parse(String(await status(stage.ports, { endpoint, id: idOf(name) }))) as Record<string, unknown>;

async function job(name: string) {
  const stored = await stage.ports.jobs.read({ endpoint: ENDPOINT, id: idOf(name) });
  if (!stored) throw new Error(`The job ${name} does not exist.`);
  return stored;
}

async function streamed(name: string, endpoint = ENDPOINT, from?: string): Promise<unknown> {
  let text = '';
  for await (const piece of await stream(stage.ports, { endpoint, id: idOf(name), from })) text += piece;
  return JSON.parse(text);
}

const withStarts = () => {
  const { deliveryStarts, expiryTimers } = stage.emulated.ports;
  return portsWith(stage.ports, { deliveryStarts, expiryTimers });
};

async function counts() {
  await stage.countChanges();
  stage.emulated.clock.advance(ENDPOINT_CACHE);
  return health(stage.ports, ENDPOINT);
}

describe.each(recordings())('jobs of the recording %s', (name) => {
  beforeAll(async () => {
    recording = readRecording(name);
    stage = await startStage({ now: recording.now, past: 200 });
    for (const endpoint of [ENDPOINT, DRAINED]) await stage.emulated.deploy(endpoint);
    const [, queueUrl = ''] = (await stage.ports.endpoints.readNow(ENDPOINT))?.normalQueueUrls ?? [];
    await restore(recording, sharedEmulators().sqsUrl, queueUrl);
    // The recording's counters already contain these changes.
    await stage.emulated.changes();
    stage.emulated.clock.advance(ENDPOINT_CACHE);
  }, 60_000);
  afterAll(() => stage.stop());

  it.each<[string, object]>([
    ['purged', { status: 'CANCELLED' }],
    ['expired', { status: 'TIMED_OUT' }],
    ['overdue', { status: 'TIMED_OUT', attempts: 1 }],
    ['completed', { status: 'COMPLETED', output: { n: 1 }, attempts: 1, workerId: 'w1' }],
    ['completedStored', { status: 'COMPLETED', output: JSON.parse(INPUTS.stored) }],
    ['completedObject', { status: 'COMPLETED', output: JSON.parse(INPUTS.object) }],
    ['failedDelivered', { status: 'FAILED', output: [1], error: 'no', webhook: { state: 'DELIVERED', attempts: 1 } }],
    [
      'failedUndelivered',
      { status: 'FAILED', error: 'no', webhook: { state: 'FAILED', attempts: 3, lastStatus: 500 } },
    ],
    ['retried', { status: 'IN_QUEUE' }],
    ['cancelled', { status: 'CANCELLED' }],
    ['cancelledRunning', { status: 'CANCELLED', workerId: 'w1' }],
    ['queued', { status: 'IN_QUEUE' }],
    ['queuedObject', { status: 'IN_QUEUE' }],
    ['running', { status: 'IN_PROGRESS', workerId: 'w1', attempts: 1 }],
  ])('have their recorded status and attributes: %s', async (name, expected) => {
    expect(await statusOf(name)).toMatchObject({ id: idOf(name), ...expected });
  });

  it('are listed and counted', async () => {
    const ofEndpoint = Object.keys(recording.jobs).length - 2;
    const { requests: listed } = JSON.parse(await requests(stage.ports, { endpoint: ENDPOINT, limit: '100' }));
    expect(listed).toHaveLength(ofEndpoint);
    const { jobs, workers } = await counts();
    // The ledger also counts the failure of the job that was retried.
    expect(jobs).toMatchObject({ completed: 3, failed: 5, inProgress: 2, retried: 1 });
    expect(workers).toMatchObject({ idle: 1, running: 1 });
  });

  it('have streams with their stored chunks, except drained chunks', async () => {
    expect(await streamed('running')).toMatchObject([{ output: { t: 'a' }, metrics: { input_tokens: 3 } }, {}]);
    expect(await streamed('drained', DRAINED)).toMatchObject({ status: 'IN_PROGRESS', stream: [] });
    const { stream: chunks } = (await streamed('drained', DRAINED, '0')) as { stream: { output: unknown }[] };
    expect(chunks.map(({ output }) => output)).toEqual([1, 'b', 'c']);
  });

  it('have their chunks as output if they were cancelled, and their worker was known to aggregate', async () => {
    const { output } = (await statusOf('cancelledRunning')) as { readonly output?: unknown };
    expect(output).toEqual(['kept']);
  });

  it('can be taken with their stored message, input and settings, and ended by their workers', async () => {
    const { ports, emulated } = stage;
    const [, queueUrl = ''] = (await ports.endpoints.readNow(ENDPOINT))?.normalQueueUrls ?? [];
    const message = await emulated.nextMessage(queueUrl);
    if (!message) throw new Error('The job has no message.');
    expect(message.job).toBe(idOf('queuedStored'));
    const taken = await take(ports, 'w9', message);
    if (taken.outcome !== 'taken') throw new Error(`The message is ${taken.outcome}.`);
    expect(await load(ports, taken.job, taken.job.input)).toBe(INPUTS.stored);
    expect(await finish(ports, taken.job, { output: '2' })).toBe(true);
    expect(await statusOf('queuedStored')).toMatchObject({ status: 'COMPLETED', output: 2 });
    expect(await finish(ports, (await job('running')) as RunningJob, { error: 'late' })).toBe(true);
    expect(await statusOf('running')).toMatchObject({ status: 'FAILED', error: 'late' });
    const { s3Config, ...queued } = await job('queuedObject');
    expect(await load(ports, queued, queued.input)).toBe(INPUTS.object);
    expect(JSON.parse(await ports.secrets.open(queued, await load(ports, queued, s3Config ?? { inline: '' })))).toEqual(
      S3_CONFIG,
    );
  });

  it('have leases that their workers renew, also without optional fields', async () => {
    const { ports } = stage;
    const leases = await ports.workers.listNow(ENDPOINT);
    expect(leases.map(({ worker }) => worker)).toEqual(['w0', 'w1', 'w2', 'w3']);
    expect(Object.keys(leases[0] ?? {}).toSorted((one, other) => one.localeCompare(other))).toEqual([
      'endpoint',
      'endsAt',
      'jobs',
      'readySince',
      'removeAfter',
      'worker',
    ]);
    const lease = leases[2];
    expect(lease).toMatchObject({ jobs: [], revision: 3, unprotected: 'WORKS' });
    if (lease) await ports.workers.beat({ ...lease, endsAt: lease.endsAt + LEASE });
    expect((await ports.workers.read(ENDPOINT, 'w2'))?.endsAt).toBe((lease?.endsAt ?? 0) + LEASE);
    const mark = { worker: 'w2', until: ports.clock.now() + HOUR };
    expect(await ports.volumeMarks.hold(ENDPOINT, mark, recording.now)).toMatchObject({ worker: 'w1' });
  });

  it('have starts of workers, to which later events add times', async () => {
    const { starts } = stage.ports;
    const before = await starts.read(ENDPOINT, 'w1');
    expect(before).toHaveProperty('pullStoppedAt');
    await saveStart(stage.ports, ENDPOINT, 'w1', { pullStoppedAt: recording.now });
    expect(await starts.read(ENDPOINT, 'w1')).toEqual({ ...before, pullStoppedAt: recording.now });
  });

  it('can be cancelled, retried, and rescued from lost workers', async () => {
    const { ports } = stage;
    const before = await counts();
    await cancel(ports, { endpoint: ENDPOINT, id: idOf('queued') });
    await retry(ports, { endpoint: ENDPOINT, id: idOf('failedUndelivered') });
    expect(await statusOf('failedUndelivered')).toMatchObject({ status: 'IN_QUEUE' });
    const endpoint = await ports.endpoints.readNow(ENDPOINT);
    if (!endpoint) throw new Error('The endpoint does not exist.');
    expect(await sweepLeases(ports, endpoint)).toBe(1);
    expect(await statusOf('lost')).toMatchObject({ status: 'IN_QUEUE' });
    const { jobs } = await counts();
    expect(jobs.inProgress).toBe(before.jobs.inProgress - 1);
    expect(jobs.inQueue).toBe(before.jobs.inQueue + 1);
  });

  it('are found by their idempotency keys', async () => {
    const claimed = {
      endpoint: ENDPOINT,
      owner: 'ada',
      body: Buffer.from('{"input":{}}'),
      idempotencyKey: IDEMPOTENCY_KEY,
    };
    expect(await run(stage.ports, claimed)).toMatchObject({ id: idOf('claimed') });
    await expect(run(stage.ports, { ...claimed, body: Buffer.from('{"input":{"n":1}}') })).rejects.toMatchObject({
      status: 409,
    });
  });

  it('have deliveries that are listed and can be sent again', async () => {
    const { webhooks: failed } = await webhooks(stage.ports, { endpoint: ENDPOINT });
    expect(failed).toMatchObject([{ id: idOf('failedUndelivered'), completion: 0, attempts: 3, lastStatus: 500 }]);
    const sent = await resend(withStarts(), { endpoint: ENDPOINT, id: idOf('failedUndelivered'), completion: '0' });
    expect(sent).toMatchObject({ state: 'PENDING' });
    expect(
      (await stage.ports.deliveries.read({ endpoint: ENDPOINT, id: idOf('retried'), completion: 0 }, 'now'))?.job,
    ).toMatchObject({ status: 'FAILED', attempt: 1 });
  });

  it('are ended by a sweep after their deadlines', async () => {
    const { ports, emulated } = stage;
    emulated.clock.advance(25 * HOUR);
    const endpoint = await ports.endpoints.readNow(ENDPOINT);
    if (!endpoint) throw new Error('The endpoint does not exist.');
    expect((await sweepDeadlines(withStarts(), endpoint)).ended).toBeGreaterThanOrEqual(2);
    expect(await job('queuedObject')).toMatchObject({ status: 'TIMED_OUT', code: 'QUEUE_TTL_EXPIRED' });
  });
});
