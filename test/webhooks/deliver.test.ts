import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { portsWith } from '../../aws/ports.ts';
import { positionAt } from '../../core/history/store.ts';
import { type DeliveryKey, deliveryOf } from '../../core/jobs/delivery-key.ts';
import type { Job } from '../../core/jobs/job.ts';
import { purgeQueue } from '../../core/jobs/purge-queue.ts';
import { record } from '../../core/ledger/record.ts';
import { HOUR, MINUTE, REDRIVE_AFTER, webhookAttempts } from '../../core/limits.ts';
import { status } from '../../core/status/status.ts';
import { retry } from '../../core/submission/retry.ts';
import { run } from '../../core/submission/submit.ts';
import { sweepDeadlines } from '../../core/sweeper/deadlines.ts';
import { type DeliverPorts, type DeliverRequest, deliver } from '../../core/webhooks/deliver.ts';
import { finish } from '../../core/workers/report.ts';
import { takeJob } from '../jobs/scripted-job.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { answered, SECRET, withReceiver } from './receiver.ts';

const emulated = useEmulatedDeployment();
let calls = 0;

const URL_OF_RECEIVER = 'https://receiver.example/hook?token=1';

async function submitted(endpoint: string, webhook = URL_OF_RECEIVER, policy: object = {}): Promise<string> {
  const body = JSON.stringify({ input: {}, webhook, policy });
  return (await run(emulated.ports, { endpoint, owner: 'ada', body: Buffer.from(body) })).id;
}

async function read(endpoint: string, id: string): Promise<Job> {
  const job = await emulated.ports.jobs.read({ endpoint, id });
  if (!job) throw new Error('The job does not exist.');
  return job;
}

/** @returns an ended job that has a webhook */
async function ended(endpoint: string, report: object = { output: '{"n":12345678901234567890}' }): Promise<Job> {
  const id = await submitted(endpoint);
  await finish(emulated.ports, await takeJob(emulated.ports, endpoint, id), report);
  return read(endpoint, id);
}

const keyOf = (job: Job): DeliveryKey => {
  const key = deliveryOf(job);
  if (!key) throw new Error('The job has no delivery.');
  return key;
};

const tried = (ports: DeliverPorts, request: Pick<DeliverRequest, 'ended'> & Partial<DeliverRequest>) => {
  calls += 1;
  return deliver(ports, { execution: 'e1', earlierCalls: 0, call: `call ${calls}`, ...request });
};

/** Delivers as the state machine does. */
async function execute(ports: DeliverPorts, what: Job | DeliveryKey, execution = 'e1'): Promise<void> {
  for (let retry = 0; retry < webhookAttempts.max; retry += 1) {
    const { again } = await tried(ports, { ended: what, execution, earlierCalls: retry });
    if (!again) return;
    emulated.clock.advance(webhookAttempts.pause);
  }
}

const recordOf = async (endpoint: string, id: string) =>
  JSON.parse(String(await status(emulated.ports, { endpoint, id }))) as Record<string, unknown>;

describe('a delivery', () => {
  it('is stored with the times and the outcome of each call, for its spans', async () => {
    await emulated.deploy('we-span');
    const job = await ended('we-span');
    const { ports } = withReceiver(emulated.ports, async () => {
      emulated.clock.advance(40);
      return answered(503);
    });
    const startedAt = emulated.clock.now();
    await tried(ports, { ended: job });
    emulated.clock.advance(webhookAttempts.pause);
    const { ports: silent } = withReceiver(emulated.ports, () => ({ answered: false, reason: 'DNS', detail: 'no' }));
    await tried(silent, { ended: job, earlierCalls: 1 });
    const row = { endpoint: 'we-span', id: job.id, completion: 0, state: 'PENDING' };
    const { rows } = await emulated.ports.deliveryHistory.read({
      endpoint: 'we-span',
      after: positionAt(0),
      before: positionAt(emulated.clock.now() + 1),
      isOldestFirst: true,
      max: 10,
    });
    const again = startedAt + 40 + webhookAttempts.pause;
    expect(rows).toEqual([
      { ...row, attempt: 1, startedAt, endedAt: startedAt + 40, status: 503 },
      { ...row, attempt: 2, startedAt: again, endedAt: again, failure: 'DNS' },
    ]);
  });

  it('sends the bytes that /status returns, without the field `webhook`, with a valid signature', async () => {
    await emulated.deploy('we-a');
    const job = await ended('we-a');
    const { ports, received } = withReceiver(emulated.ports, () => answered(200));
    await execute(ports, job);
    const text = String(await status(emulated.ports, job));
    const [call] = received;
    expect(received.map(({ url }) => url)).toEqual([URL_OF_RECEIVER]);
    expect(text).toBe(`${call?.body.slice(0, -1)},"webhook":{"state":"DELIVERED","attempts":1,"lastStatus":200}}`);
    expect(call?.body).toContain('"output":{"n":12345678901234567890}');
    expect(() => new Webhook(SECRET).verify(call?.body ?? '', { ...call?.headers })).not.toThrow();
    expect(call?.headers['webhook-id']).toBe(`msg_we-a_${job.id}_0`);
  });

  it('is attempted until the receiver returns 200, at most three times', async () => {
    await emulated.deploy('we-b');
    const answers = [
      answered(500),
      { answered: false, reason: 'TIMEOUT', detail: 'Too slow.' } as const,
      answered(200),
    ];
    const second = withReceiver(emulated.ports, () => answers.shift() ?? answered(200));
    const job = await ended('we-b');
    await execute(second.ports, job);
    expect(second.received).toHaveLength(3);
    expect(await recordOf('we-b', job.id)).toMatchObject({
      webhook: { state: 'DELIVERED', attempts: 3, lastStatus: 200 },
    });

    for (const never of [answered(204), answered(301), answered(500)]) {
      const { ports, received } = withReceiver(emulated.ports, () => never);
      const other = await ended('we-b');
      await execute(ports, other);
      await execute(ports, other, 'e2');
      expect(new Set(received.map(({ headers, body }) => headers['webhook-id'] + body)).size).toBe(1);
      expect(received).toHaveLength(3);
      const webhook = { state: 'FAILED', attempts: 3, lastStatus: never.answered && never.status };
      expect(await recordOf('we-b', other.id)).toMatchObject({ webhook });
    }
  });

  it('is attempted by only one execution, until the claim of that execution expires', async () => {
    await emulated.deploy('we-i');
    const job = await ended('we-i');
    const { ports, received } = withReceiver(emulated.ports, () => answered(500));
    const both = ['e1', 'e2'];
    const tries = await Promise.all(both.map((execution) => tried(ports, { ended: job, execution })));
    const [winner = '', loser = ''] = tries[0]?.posted ? both : both.toReversed();
    expect(received).toHaveLength(1);
    emulated.clock.advance(webhookAttempts.pause);
    expect(await tried(ports, { ended: job, execution: loser, earlierCalls: 1 })).toMatchObject({
      posted: false,
      again: false,
    });
    expect(await tried(ports, { ended: job, execution: winner, earlierCalls: 1 })).toMatchObject({
      posted: true,
      again: true,
    });
    emulated.clock.advance(webhookAttempts.lease - 1);
    expect(await tried(ports, { ended: job, execution: 'e3' })).toMatchObject({ posted: false });
    emulated.clock.advance(1);
    expect(await tried(ports, { ended: job, execution: 'e3' })).toMatchObject({ posted: true, again: false });
    expect(received).toHaveLength(3);
  });

  it('is attempted again by its execution although a call in between threw before an attempt', async () => {
    await emulated.deploy('we-j');
    const job = await ended('we-j');
    const { ports } = withReceiver(emulated.ports, () => answered(500));
    await tried(ports, { ended: job });
    emulated.clock.advance(2 * webhookAttempts.pause);
    const others = await tried(ports, { ended: job, execution: 'e2', earlierCalls: 2 });
    const own = await tried(ports, { ended: job, earlierCalls: 2 });
    expect([others.posted, own.posted]).toEqual([false, true]);
  });

  it('is listed after it has failed, and gets three more attempts if it is reopened', async () => {
    await emulated.deploy('we-c');
    const job = await ended('we-c');
    const { deliveries } = emulated.ports;
    const { ports, received } = withReceiver(emulated.ports, () => answered(500));
    await execute(ports, job);
    const failures = await Array.fromAsync(deliveries.failures('we-c'));
    expect(failures).toEqual([{ ...keyOf(job), failedAt: emulated.clock.now() }]);
    expect(await deliveries.reopen(keyOf(job))).toBe(true);
    expect(await deliveries.reopen(keyOf(job))).toBe(false);
    expect(await Array.fromAsync(deliveries.failures('we-c'))).toEqual([]);
    await execute(ports, keyOf(job), 'e2');
    expect(received).toHaveLength(6);
    expect(await deliveries.read(keyOf(job), 'now')).toMatchObject({ state: 'FAILED', attempts: 3, round: 1 });
  });

  it('contains the result of its run, even if the job was retried and that result has expired', async () => {
    await emulated.deploy('we-d');
    const job = await ended('we-d', { output: '"first"', error: 'x'.repeat(500) });
    const { ports, received } = withReceiver(emulated.ports, () => answered(200));
    const { webhook: _, ...before } = await recordOf('we-d', job.id);
    await status(emulated.ports, { ...job, ttl: '1000' });
    await retry(emulated.ports, job);
    expect(await recordOf('we-d', job.id)).toMatchObject({
      status: 'IN_QUEUE',
      webhook: { state: 'PENDING', attempts: 0 },
    });
    await finish(emulated.ports, await takeJob(emulated.ports, 'we-d', job.id), { output: '"second"' });
    emulated.clock.advance(HOUR);

    await execute(ports, keyOf(job), 'lost and found');
    await execute(ports, await read('we-d', job.id), 'e2');
    expect(JSON.parse(received[0]?.body ?? '')).toEqual(before);
    expect(JSON.parse(received[1]?.body ?? '')).toMatchObject({ status: 'COMPLETED', output: 'second' });
    const ids = received.map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([`msg_we-d_${job.id}_0`, `msg_we-d_${job.id}_1`]);
  });

  it('is sent to a long URL, which is stored outside the job', async () => {
    await emulated.deploy('we-e');
    const long = `https://receiver.example/${'x'.repeat(2_000)}`;
    const id = await submitted('we-e', long);
    expect(await read('we-e', id)).toMatchObject({ webhook: { stored: 'webhook' } });
    await finish(emulated.ports, await takeJob(emulated.ports, 'we-e', id), { error: 'no' });
    const { ports, received } = withReceiver(emulated.ports, () => answered(200));
    await execute(ports, await read('we-e', id));
    expect(received.map(({ url }) => url)).toEqual([long]);
  });

  it('does not exist for a purged job', async () => {
    await emulated.deploy('we-f');
    const id = await submitted('we-f');
    await purgeQueue(emulated.ports, 'we-f');
    const { webhook } = await recordOf('we-f', id);
    expect(webhook).toEqual({ state: 'NOT_SENT', attempts: 0 });
    expect(deliveryOf(await read('we-f', id))).toBeUndefined();
  });
});

describe('the sweeper', () => {
  const follow = async () =>
    record(portsWith(emulated.ports, { services: recordServices() }), await emulated.changes());

  let givenUp: number;

  /**
   * Sets `givenUp` to the number of deliveries that the sweep gives up.
   * @returns the deliveries that it restarts
   */
  async function swept(endpoint: string) {
    const { started } = emulated.ports.deliveryStarts;
    started.length = 0;
    const deployed = await emulated.ports.endpoints.readNow(endpoint);
    if (!deployed) throw new Error('The endpoint does not exist.');
    ({ givenUp } = await sweepDeadlines(emulated.ports, deployed));
    return [...started];
  }

  it('restarts an unfinished delivery after five minutes, in every sweep until the delivery has finished', async () => {
    await emulated.deploy('we-g');
    await emulated.changes();
    const lost = await ended('we-g');
    const made = await ended('we-g');
    await follow();
    const { ports } = withReceiver(emulated.ports, () => answered(200));
    await execute(ports, made);
    emulated.clock.advance(REDRIVE_AFTER - MINUTE);
    expect(await swept('we-g')).toEqual([]);
    emulated.clock.advance(2 * MINUTE);
    expect(await swept('we-g')).toEqual([keyOf(lost)]);
    expect(await swept('we-g')).toEqual([keyOf(lost)]);
    await execute(ports, keyOf(lost), 'again');
    expect(await swept('we-g')).toEqual([]);
    expect(await recordOf('we-g', lost.id)).toMatchObject({ webhook: { state: 'DELIVERED', attempts: 1 } });
    expect(await Array.fromAsync(emulated.ports.deadlines.due('we-g', emulated.clock.now()))).toEqual([]);
  });

  it('removes the entry of a finished delivery before the entry is due', async () => {
    await emulated.deploy('we-k');
    await emulated.changes();
    const made = await ended('we-k');
    await follow();
    const { ports } = withReceiver(emulated.ports, () => answered(200));
    await execute(ports, made);
    emulated.clock.advance(REDRIVE_AFTER - MINUTE);
    expect(await swept('we-k')).toEqual([]);
    const due = emulated.ports.deadlines.due('we-k', emulated.clock.now() + REDRIVE_AFTER);
    expect((await Array.fromAsync(due)).flatMap(({ deliveries }) => deliveries)).toEqual([]);
  });

  it('does not restart a claimed delivery, and gives up an unfinished delivery after 12 hours', async () => {
    await emulated.deploy('we-h');
    await emulated.changes();
    const job = await ended('we-h');
    await follow();
    emulated.clock.advance(REDRIVE_AFTER + MINUTE);
    const { ports } = withReceiver(emulated.ports, () => answered(500));
    await tried(ports, { ended: job });
    expect(await swept('we-h')).toEqual([]);
    emulated.clock.advance(webhookAttempts.lease);
    expect(await swept('we-h')).toEqual([keyOf(job)]);
    expect(givenUp).toBe(0);
    emulated.clock.advance(12 * HOUR);
    expect(await swept('we-h')).toEqual([]);
    expect(givenUp).toBe(1);
    expect(await emulated.ports.deliveries.read(keyOf(job), 'now')).toMatchObject({ state: 'FAILED', attempts: 1 });
    expect(await Array.fromAsync(emulated.ports.deliveries.failures('we-h'))).toHaveLength(1);
  });
});
