import { describe, expect, it } from '@jest/globals';
import type { DeliveryKey } from '../../core/jobs/delivery-key.ts';
import type { JobKey } from '../../core/jobs/job.ts';
import { DAY, HOUR, MINUTE, REDRIVE_AFTER, webhookAttempts } from '../../core/limits.ts';
import { JobExpired, JobNotFound, WebhookNotFailed, WebhookNotFound } from '../../core/requests/errors.ts';
import { status } from '../../core/status/status.ts';
import { retry } from '../../core/submission/retry.ts';
import { run } from '../../core/submission/submit.ts';
import { deliver } from '../../core/webhooks/deliver.ts';
import { resend } from '../../core/webhooks/resend.ts';
import type { PostOutcome } from '../../core/webhooks/store.ts';
import { webhooks } from '../../core/webhooks/webhooks.ts';
import { finish } from '../../core/workers/report.ts';
import { takeJob } from '../jobs/scripted-job.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { answered, withReceiver } from './receiver.ts';

const emulated = useEmulatedDeployment();
let executions = 0;

async function ended(endpoint: string, hasWebhook = true): Promise<JobKey> {
  const body = JSON.stringify({ input: {}, ...(hasWebhook && { webhook: 'https://receiver.example/' }) });
  const { id } = await run(emulated.ports, { endpoint, owner: 'ada', body: Buffer.from(body) });
  await finish(emulated.ports, await takeJob(emulated.ports, endpoint, id), { error: '"down"' });
  return { endpoint, id };
}

/**
 * Delivers as the state machine does, to a receiver with a fixed response.
 * @returns the requests that it received
 */
async function execute(
  { completion = 0, ...key }: JobKey & { completion?: number },
  outcome: PostOutcome = answered(500),
) {
  const { ports, received } = withReceiver(emulated.ports, () => outcome);
  executions += 1;
  for (let n = 0; n < webhookAttempts.max; n += 1) {
    const request = { execution: `e${executions}`, earlierCalls: n, call: `${executions}-${n}` };
    if (!(await deliver(ports, { ended: { ...key, completion }, ...request })).again) break;
    emulated.clock.advance(webhookAttempts.pause);
  }
  return received;
}

async function failed(endpoint: string): Promise<JobKey> {
  const key = await ended(endpoint);
  await execute(key);
  emulated.clock.advance(1);
  return key;
}

const listed = async (endpoint: string, query: object = {}) => webhooks(emulated.ports, { endpoint, ...query });
const idsOf = async (endpoint: string) => (await listed(endpoint)).webhooks.map(({ id }) => id);
const webhookOf = async (key: JobKey) => JSON.parse(String(await status(emulated.ports, key))).webhook;

describe('/webhooks', () => {
  it('lists only failed deliveries, with their reasons, the newest first', async () => {
    await emulated.deploy('wl-a');
    const first = await failed('wl-a');
    const good = await ended('wl-a');
    await execute(good, answered(200));
    await ended('wl-a');
    const before = emulated.clock.now();
    const second = await failed('wl-a');
    const { webhooks: list, nextCursor } = await listed('wl-a');
    expect(nextCursor).toBeUndefined();
    expect(list.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(list[0]).toEqual({
      id: second.id,
      completion: 0,
      webhookId: `msg_wl-a_${second.id}_0`,
      failedAt: expect.stringMatching(/Z$/),
      attempts: 3,
      resent: 0,
      lastStatus: 500,
      lastError: expect.stringContaining('200'),
      receiver: expect.stringMatching(/^https?:\/\/[^/?]+$/),
    });
    expect(Date.parse(list[0]?.failedAt ?? '')).toBeGreaterThan(before);
  });

  it('returns each delivery on one page only, even if more deliveries fail meanwhile', async () => {
    await emulated.deploy('wl-b');
    const keys = [await failed('wl-b'), await failed('wl-b'), await failed('wl-b')];
    const first = await listed('wl-b', { limit: '2' });
    await failed('wl-b');
    const second = await listed('wl-b', { limit: '2', cursor: first.nextCursor });
    expect([...first.webhooks, ...second.webhooks].map(({ id }) => id)).toEqual(keys.map(({ id }) => id).reverse());
    expect(second.nextCursor).toBeUndefined();
  });

  it('refuses an invalid limit, cursor or endpoint', async () => {
    await emulated.deploy('wl-c');
    await emulated.deploy('wl-d');
    for (let n = 0; n < 2; n += 1) await failed('wl-c');
    const { nextCursor = '' } = await listed('wl-c', { limit: '1' });
    expect(nextCursor).not.toBe('');
    await expect(listed('wl-d', { cursor: nextCursor })).rejects.toThrow('`cursor` must be the unchanged `nextCursor`');
    await expect(listed('wl-c', { cursor: `${nextCursor}x` })).rejects.toThrow(
      '`cursor` must be the unchanged `nextCursor`',
    );
    await expect(listed('wl-c', { cursor: ['a', 'b'] })).rejects.toThrow('got ["a","b"]');
    await expect(listed('wl-c', { limit: '101' })).rejects.toThrow(
      '`limit` must be a whole number from 1 to 100, got 101',
    );
    await expect(listed('nowhere')).rejects.toThrow('There is no endpoint');
  });
});

describe('/resend', () => {
  it('starts three more attempts with the same id and body, and removes the delivery from the list', async () => {
    await emulated.deploy('wr-a');
    const key = await ended('wr-a');
    const [before] = await execute(key);
    const webhookId = `msg_wr-a_${key.id}_0`;
    expect(await resend(emulated.ports, key)).toEqual({ id: key.id, completion: 0, webhookId, state: 'PENDING' });
    expect(emulated.ports.deliveryStarts.started.at(-1)).toEqual({ ...key, completion: 0 });
    expect(await idsOf('wr-a')).toEqual([]);
    expect(await webhookOf(key)).toMatchObject({ state: 'PENDING', attempts: 0 });

    const received = await execute(key);
    expect(received).toHaveLength(3);
    for (const { body, headers } of received) expect([body, headers['webhook-id']]).toEqual([before?.body, webhookId]);
    expect((await listed('wr-a')).webhooks).toMatchObject([{ id: key.id, attempts: 3, resent: 1 }]);

    await resend(emulated.ports, key);
    expect(await execute(key, answered(200))).toHaveLength(1);
    expect(await webhookOf(key)).toEqual({ state: 'DELIVERED', attempts: 1, lastStatus: 200 });
    expect(await idsOf('wr-a')).toEqual([]);
  });

  it('succeeds for only one of several simultaneous calls', async () => {
    await emulated.deploy('wr-b');
    const key = await failed('wr-b');
    const before = emulated.ports.deliveryStarts.started.length;
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => resend(emulated.ports, key)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(emulated.ports.deliveryStarts.started).toHaveLength(before + 1);
    expect(await execute(key)).toHaveLength(3);
  });

  it('leaves an entry for the sweeper if the process dies before it starts the delivery', async () => {
    await emulated.deploy('wr-c');
    const key = await failed('wr-c');
    const deliveryStarts = { start: () => Promise.reject(new Error('cut')) };
    await expect(
      resend(Object.create(emulated.ports, { deliveryStarts: { value: deliveryStarts } }), key),
    ).rejects.toThrow('cut');
    const due = await Array.fromAsync(
      emulated.ports.deadlines.due('wr-c', emulated.clock.now() + REDRIVE_AFTER + MINUTE),
    );
    expect(due.flatMap(({ deliveries }): readonly DeliveryKey[] => deliveries)).toContainEqual({
      ...key,
      completion: 0,
    });
    expect(await webhookOf(key)).toMatchObject({ state: 'PENDING' });
  });

  it('refuses a delivery that has not failed or does not exist', async () => {
    await emulated.deploy('wr-d');
    const fresh = await ended('wr-d');
    await expect(resend(emulated.ports, fresh)).rejects.toThrow(WebhookNotFailed);
    await execute(fresh, answered(200));
    await expect(resend(emulated.ports, fresh)).rejects.toThrow('is DELIVERED: only a FAILED delivery');
    await expect(resend(emulated.ports, await ended('wr-d', false))).rejects.toThrow(WebhookNotFound);
    await expect(resend(emulated.ports, { ...fresh, completion: '1' })).rejects.toThrow(WebhookNotFound);
    await expect(resend(emulated.ports, { ...fresh, completion: 'x' })).rejects.toThrow(
      '`completion` must be a whole number',
    );
    await expect(resend(emulated.ports, { ...fresh, id: `${fresh.id.slice(0, -1)}_` })).rejects.toThrow(JobNotFound);
    await expect(resend(emulated.ports, { ...fresh, id: 'x' })).rejects.toThrow(JobNotFound);
    await expect(resend(emulated.ports, { ...fresh, endpoint: 'nowhere' })).rejects.toThrow('There is no endpoint');
  });

  it('sends an earlier result of a job that has been retried', async () => {
    await emulated.deploy('wr-e');
    const key = await failed('wr-e');
    const [first] = (await listed('wr-e')).webhooks;
    await retry(emulated.ports, key);
    await expect(resend(emulated.ports, key)).rejects.toThrow(WebhookNotFound);
    await resend(emulated.ports, { ...key, completion: '0' });
    const [sent] = await execute(key, answered(200));
    expect(sent?.headers['webhook-id']).toBe(first?.webhookId);
    expect(sent?.body).toContain('"status":"FAILED"');
  });

  it('works after the result has expired, until it is removed', async () => {
    await emulated.deploy('wr-f');
    const [late, tooLate] = [await failed('wr-f'), await failed('wr-f')];
    emulated.clock.advance(2 * HOUR);
    await expect(status(emulated.ports, late)).rejects.toThrow(JobExpired);
    await resend(emulated.ports, late);
    expect(await execute(late, answered(200))).toHaveLength(1);
    emulated.clock.advance(30 * DAY);
    await expect(resend(emulated.ports, tooLate)).rejects.toThrow(JobExpired);
  });
});
