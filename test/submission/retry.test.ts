import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Ports, portsWith } from '../../aws/ports.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import { removeAfterLastUse } from '../../core/jobs/ending.ts';
import type { RunningJob } from '../../core/jobs/job.ts';
import { load } from '../../core/jobs/payload.ts';
import { purgeQueue } from '../../core/jobs/purge-queue.ts';
import type { JobQueues } from '../../core/jobs/queues.ts';
import type { Payloads } from '../../core/jobs/store.ts';
import {
  MAX_ATTEMPTS,
  MINUTE,
  payloadLimits,
  REPORT_GRACE,
  RETRY_MESSAGE_DELAY,
  retention,
} from '../../core/limits.ts';
import { EndpointNotFound, JobExpired, JobNotFound, JobNotRetryable } from '../../core/requests/errors.ts';
import { status } from '../../core/status/status.ts';
import { retry } from '../../core/submission/retry.ts';
import { run } from '../../core/submission/submit.ts';
import { finish } from '../../core/workers/report.ts';
import { rescue } from '../../core/workers/rescue.ts';
import { take } from '../../core/workers/take.ts';
import { finishJob, startJob, submitJob, takeJob } from '../jobs/scripted-job.ts';
import type { EmulatedDeployment } from '../support/emulated-deployment.ts';
import { startTimedPorts, type TimedPorts } from '../support/timed-ports.ts';

let timed: TimedPorts;
let emulated: EmulatedDeployment;
let ports: Ports;

beforeAll(async () => {
  timed = await startTimedPorts();
  ({ emulated } = timed);
  ({ ports } = emulated);
});
afterAll(() => timed.stop());

const recordOf = async (endpoint: string, id: string) => JSON.parse(String(await status(ports, { endpoint, id })));
const failed = (endpoint: string) => finishJob(ports, endpoint, { output: '[1]', error: 'no' });

/**
 * Removes all visible messages from the queue.
 * @returns their number
 */
async function drained(queueUrl: string): Promise<number> {
  let count = 0;
  for (let message = await emulated.nextMessage(queueUrl); message; message = await emulated.nextMessage(queueUrl)) {
    await ports.jobQueues.drop(message);
    count += 1;
  }
  return count;
}

describe('retry', () => {
  it.each([
    ['re-a', 'in the job', payloadLimits.inline],
    ['re-b', 'in the payloads table', payloadLimits.item],
    ['re-c', 'in the bucket', payloadLimits.item + 1],
  ])(
    'runs a job of %s, whose input is %s, with the same id and bytes, and stores them for another run',
    async (endpoint, _, size) => {
      await emulated.deploy(endpoint);
      const begin = '{"n":12345678901234567890,"z":-0,"t":"\\u00e9","x":"';
      const input = `${begin}${'x'.repeat(size - begin.length - 2)}"}`;
      const { id } = await run(ports, { endpoint, owner: 'ada', body: Buffer.from(`{"input": ${input} }`) });
      await finish(ports, await takeJob(ports, endpoint, id), { error: 'no' });

      const kept: [where: string, text: string, removeAfter?: number][] = [];
      const recording = portsWith(ports, {
        payloads: {
          read: ports.payloads.read,
          async write(...[key, name, text, removeAfter]: Parameters<Payloads['write']>) {
            await ports.payloads.write(key, name, text, removeAfter);
            kept.push([`${key.id}#${name}`, text, removeAfter]);
          },
        },
        objects: {
          read: ports.objects.read,
          async write(key: string, bytes: Uint8Array) {
            await ports.objects.write(key, bytes);
            kept.push([key, Buffer.from(bytes).toString()]);
          },
        },
      });
      emulated.clock.advance(10 * MINUTE);
      expect(await retry(recording, { endpoint, id })).toEqual({ id, status: 'IN_QUEUE' });
      const again = await takeJob(ports, endpoint, id);
      expect(await load(ports, again, again.input)).toBe(input);

      // Payloads outside of the job have been stored again under the same keys.
      const life = removeAfterLastUse(again, emulated.clock.now());
      expect(again.removeAfter).toBe(life);
      if ('inline' in again.input) expect(kept).toEqual([]);
      else if ('stored' in again.input) expect(kept).toEqual([[`${id}#${again.input.stored}`, input, life]]);
      else expect(kept).toEqual([[again.input.object, input]]);
    },
  );

  it('removes output and error, restarts the times, and continues to count attempts', async () => {
    await emulated.deploy('re-d');
    const id = await failed('re-d');
    expect(await recordOf('re-d', id)).toMatchObject({ status: 'FAILED', output: [1], error: 'no', attempts: 1 });
    emulated.clock.advance(MINUTE);
    await retry(ports, { endpoint: 're-d', id });
    const wait = { queuePosition: 1, waitReason: 'NO_WORKER' };
    expect(await recordOf('re-d', id)).toEqual({
      id,
      status: 'IN_QUEUE',
      delayTime: 0,
      executionTime: 0,
      attempts: 1,
      ...wait,
    });
    emulated.clock.advance(500);
    const job = await takeJob(ports, 're-d', id);
    emulated.clock.advance(700);
    await finish(ports, job, { output: '2' });
    expect(await recordOf('re-d', id)).toMatchObject({
      status: 'COMPLETED',
      delayTime: 500,
      executionTime: 700,
      output: 2,
      attempts: 2,
    });
  });

  it('allows three more attempts', async () => {
    await emulated.deploy('re-e');
    const lose = async (job: RunningJob) => rescue(ports, job, 0, 0);
    const id = await submitJob(ports, 're-e');
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) await lose(await takeJob(ports, 're-e', id));
    expect(await recordOf('re-e', id)).toMatchObject({ status: 'FAILED', code: 'WORKER_LOST', attempts: MAX_ATTEMPTS });
    await retry(ports, { endpoint: 're-e', id });
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      expect(await recordOf('re-e', id)).toMatchObject({ status: 'IN_QUEUE', attempts: MAX_ATTEMPTS + attempt - 1 });
      await lose(await takeJob(ports, 're-e', id));
    }
    expect(await recordOf('re-e', id)).toMatchObject({
      status: 'FAILED',
      code: 'WORKER_LOST',
      attempts: 2 * MAX_ATTEMPTS,
    });
  });

  it('runs overdue jobs, although their timeout is not stored yet', async () => {
    await emulated.deploy('re-f');
    const waited = await submitJob(ports, 're-f', { ttl: 10_000 });
    const ran = await startJob(ports, 're-f', { executionTimeout: 6_000 });
    emulated.clock.advance(10_000 + REPORT_GRACE);
    for (const id of [waited, ran.id]) {
      expect(await retry(ports, { endpoint: 're-f', id })).toEqual({ id, status: 'IN_QUEUE' });
      expect((await recordOf('re-f', id)).status).toBe('IN_QUEUE');
    }
    // A write of the first worker is refused.
    expect(await finish(ports, ran, { output: '"late"' })).toBe(false);
    emulated.clock.advance(9_999);
    expect((await recordOf('re-f', waited)).status).toBe('IN_QUEUE');
    emulated.clock.advance(1);
    expect((await recordOf('re-f', waited)).status).toBe('TIMED_OUT');
  });

  it('sends the job to the current queue after a purge', async () => {
    const [even, odd] = (await emulated.deploy('re-g')).normalQueueUrls;
    const id = await failed('re-g');
    await drained(even);
    await purgeQueue(ports, 're-g');
    await retry(ports, { endpoint: 're-g', id });
    expect(await emulated.nextMessage(odd)).toMatchObject({ job: id, attempt: 1, generation: 1 });
    expect(await takeJob(ports, 're-g', id)).toMatchObject({ attempt: 2, generation: 1 });
  });

  it('succeeds for only one of two simultaneous calls', async () => {
    const [normalQueueUrl] = (await emulated.deploy('re-h')).normalQueueUrls;
    for (let round = 0; round < 10; round += 1) {
      const id = await failed('re-h');
      await drained(normalQueueUrl);
      const key = { endpoint: 're-h', id };
      const outcomes = await Promise.allSettled([retry(ports, key), retry(ports, key)]);
      expect(outcomes.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
      const [refused] = outcomes.filter((one) => one.status === 'rejected');
      expect(refused?.reason).toBeInstanceOf(JobNotRetryable);
      expect(await drained(normalQueueUrl)).toBe(1);
      expect((await takeJob(ports, 're-h', id)).attempt).toBe(2);
    }
  });
});

describe('a retry whose process dies', () => {
  /** Returns ports whose process dies when it sends the nth message. */
  const dyingAt = (number: number) => {
    let sent = 0;
    const send: JobQueues['send'] = async (...args) => {
      sent += 1;
      if (sent === number) throw new Error('The process dies here.');
      await ports.jobQueues.send(...args);
    };
    return portsWith(ports, { jobQueues: { ...ports.jobQueues, send } });
  };

  it('after it has changed the job leaves a message that starts the job', async () => {
    const [normalQueueUrl] = (await emulated.deploy('re-i')).normalQueueUrls;
    const id = await failed('re-i');
    await drained(normalQueueUrl);
    await expect(retry(dyingAt(2), { endpoint: 're-i', id })).rejects.toThrow('dies here');
    expect((await recordOf('re-i', id)).status).toBe('IN_QUEUE');
    expect(await emulated.nextMessage(normalQueueUrl)).toBeUndefined();
    await timed.clock.pause(RETRY_MESSAGE_DELAY);
    const message = await emulated.nextMessage(normalQueueUrl);
    if (message?.job !== id) throw new Error(`The message is ${JSON.stringify(message)}.`);
    expect(await take(ports, 'w2', message)).toMatchObject({ outcome: 'taken', job: { id, attempt: 2 } });
  });

  it('before it has changed the job leaves the job as it was, so that it can be retried', async () => {
    await emulated.deploy('re-j');
    const id = await failed('re-j');
    const before = await recordOf('re-j', id);
    await expect(retry(dyingAt(1), { endpoint: 're-j', id })).rejects.toThrow('dies here');
    expect(await recordOf('re-j', id)).toEqual(before);
    expect(await retry(ports, { endpoint: 're-j', id })).toEqual({ id, status: 'IN_QUEUE' });
  });
});

describe('a refused retry', () => {
  it('fails with 400 and changes nothing if the job has not failed', async () => {
    const [normalQueueUrl] = (await emulated.deploy('re-k')).normalQueueUrls;
    const cancelled = await submitJob(ports, 're-k');
    await cancel(ports, { endpoint: 're-k', id: cancelled });
    const all = [
      cancelled,
      await submitJob(ports, 're-k'),
      (await startJob(ports, 're-k')).id,
      await finishJob(ports, 're-k', { output: '1' }),
    ];
    await drained(normalQueueUrl);
    for (const id of all) {
      const key = { endpoint: 're-k', id };
      const before = await ports.jobs.read(key);
      const refused = await retry(ports, key).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(JobNotRetryable);
      expect(refused).toMatchObject({ status: 400, code: 'JOB_NOT_RETRYABLE', message: expect.stringContaining(id) });
      expect(await ports.jobs.read(key)).toEqual(before);
    }
    expect(await drained(normalQueueUrl)).toBe(0);
  });

  it('fails with 404 and changes nothing if the result has expired', async () => {
    await emulated.deploy('re-l');
    const [id, other] = [await failed('re-l'), await failed('re-l')];
    emulated.clock.advance(retention.run - 1);
    const key = { endpoint: 're-l', id };
    expect(await retry(ports, { ...key, id: other })).toEqual({ id: other, status: 'IN_QUEUE' });
    emulated.clock.advance(1);
    const before = await ports.jobs.read(key);
    await expect(retry(ports, key)).rejects.toThrow(JobExpired);
    expect(await ports.jobs.read(key)).toEqual(before);
  });

  it('fails with 404 if the job does not exist', async () => {
    await emulated.deploy('re-m');
    const id = await failed('re-m');
    await expect(retry(ports, { endpoint: 're-m', id: '0'.repeat(36) })).rejects.toThrow(JobNotFound);
    await expect(retry(ports, { endpoint: 'nowhere', id })).rejects.toThrow(EndpointNotFound);
  });
});
