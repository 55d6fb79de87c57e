import { describe, expect, it } from '@jest/globals';
import { type Ports, portsWith } from '../../aws/ports.ts';
import type { Clock } from '../../core/clock.ts';
import { JOB_ID } from '../../core/jobs/id.ts';
import { MAX_ATTEMPTS, payloadLimits } from '../../core/limits.ts';
import { InvalidRequest, JobExpired, JobNotFound, PayloadTooLarge, WorkerLost } from '../../core/requests/errors.ts';
import { runSync } from '../../core/status/runsync.ts';
import { status } from '../../core/status/status.ts';
import { statusSync } from '../../core/status/status-sync.ts';
import { finish } from '../../core/workers/report.ts';
import { rescue } from '../../core/workers/rescue.ts';
import { finishJob, startJob, takeJob } from '../jobs/scripted-job.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const { ports } = emulated;

/** @returns ports in which `happens` runs after the given milliseconds */
function after(milliseconds: number, happens: () => Promise<unknown>): Ports & { pauses: number[] } {
  const start = emulated.clock.now();
  const pauses: number[] = [];
  let pending: (() => Promise<unknown>) | undefined = happens;
  const clock: Clock = {
    now: () => emulated.clock.now(),
    async pause(length) {
      pauses.push(length);
      emulated.clock.advance(length);
      if (!pending || emulated.clock.now() - start < milliseconds) return;
      const due = pending;
      pending = undefined;
      await due();
    },
  };
  return portsWith(ports, { clock, pauses });
}

const nothing = async () => undefined;

/** Runs the one job of the endpoint to its end. */
async function runOnlyJob(endpoint: string, output: string) {
  const [job] = await Array.fromAsync(ports.jobs.list(endpoint));
  await finish(ports, await takeJob(ports, endpoint, job?.id ?? ''), { output });
}

/** Lets several workers take the job one after the other, and loses each of them. */
async function loseOnlyJob(endpoint: string) {
  const [job] = await Array.fromAsync(ports.jobs.list(endpoint));
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1)
    await rescue(ports, await takeJob(ports, endpoint, job?.id ?? ''), emulated.clock.now() - 1, 0);
}

describe('runsync', () => {
  it('returns the job record when the job has ended', async () => {
    await emulated.deploy('ws-a');
    const later = after(1_000, () => runOnlyJob('ws-a', '{"n":12345678901234567890}'));
    const record = String(await runSync(later, { endpoint: 'ws-a', owner: 'ada', body: Buffer.from('{"input":{}}') }));
    expect(record).toContain('"output":{"n":12345678901234567890}');
    expect(JSON.parse(String(record))).toMatchObject({
      id: expect.stringMatching(/^sync-/),
      status: 'COMPLETED',
      attempts: 1,
    });
    expect(JSON.parse(String(record)).id).toMatch(JOB_ID);
  });

  it('returns a running job after the wait, and the job continues', async () => {
    await emulated.deploy('ws-b');
    const start = emulated.clock.now();
    const body = '{"input":{}}';
    const record = JSON.parse(
      String(
        await runSync(after(0, nothing), { endpoint: 'ws-b', owner: 'ada', body: Buffer.from(body), wait: '1000' }),
      ),
    );
    expect(record.status).toBe('IN_QUEUE');
    expect(emulated.clock.now() - start).toBe(1_000);
    await runOnlyJob('ws-b', '1');
    expect(JSON.parse(String(await status(ports, { endpoint: 'ws-b', id: record.id }))).status).toBe('COMPLETED');
  });

  it('waits for 90 seconds if the request sets no time', async () => {
    await emulated.deploy('ws-c');
    const start = emulated.clock.now();
    await runSync(after(0, nothing), { endpoint: 'ws-c', owner: 'ada', body: Buffer.from('{"input":{}}') });
    expect(emulated.clock.now() - start).toBe(90_000);
  });

  it.each(['999', '300001', '-1', '1e4', '1.5', '', ' 5000', 'x', '5'.repeat(400)])(
    'refuses to wait for %j, and stores nothing',
    async (wait) => {
      const request = { endpoint: 'ws-d', owner: 'ada', body: Buffer.from('{"input":{}}'), wait };
      await emulated.deploy('ws-d');
      await expect(runSync(ports, request)).rejects.toThrow(InvalidRequest);
      await expect(runSync(ports, request)).rejects.toThrow('from 1000 to 300000');
      expect(await Array.fromAsync(ports.jobs.list('ws-d'))).toEqual([]);
    },
  );

  it('reports the id of the job before it waits', async () => {
    await emulated.deploy('ws-k');
    const seen: [string, number][] = [];
    const start = emulated.clock.now();
    const request = { endpoint: 'ws-k', owner: 'ada', body: Buffer.from('{"input":{}}'), wait: '1000' };
    const accepted = (id: string) => seen.push([id, emulated.clock.now() - start]);
    const { id } = JSON.parse(String(await runSync(after(0, nothing), request, accepted)));
    expect(seen).toEqual([[id, 0]]);
  });

  it('fails with the record of a job whose workers were lost, which status and status-sync return', async () => {
    await emulated.deploy('ws-l');
    const lost = after(1_000, () => loseOnlyJob('ws-l'));
    const request = { endpoint: 'ws-l', owner: 'ada', body: Buffer.from('{"input":{}}') };
    const error = await runSync(lost, request).catch((e) => e);
    expect(error).toBeInstanceOf(WorkerLost);
    const { record, ...rest } = error as WorkerLost;
    expect(rest).toMatchObject({ status: 500, code: 'WORKER_LOST' });
    expect(record).toMatchObject({ status: 'FAILED', code: 'WORKER_LOST', error: error.message, attempts: 3 });
    const key = { endpoint: 'ws-l', id: record.id };
    expect(JSON.parse(String(await status(ports, key)))).toEqual(record);
    expect(JSON.parse(String(await statusSync(ports, key)))).toEqual(record);
  });

  it('returns a job whose handler failed like any other job', async () => {
    await emulated.deploy('ws-m');
    const later = after(1_000, async () => {
      const [job] = await Array.fromAsync(ports.jobs.list('ws-m'));
      await finish(ports, await takeJob(ports, 'ws-m', job?.id ?? ''), { error: 'no' });
    });
    const record = String(await runSync(later, { endpoint: 'ws-m', owner: 'ada', body: Buffer.from('{"input":{}}') }));
    expect(JSON.parse(String(record))).toMatchObject({ status: 'FAILED', code: 'WORKER_ERROR', error: 'no' });
  });

  it('keeps its result for 60 seconds to the millisecond', async () => {
    await emulated.deploy('ws-e');
    let endedAt = 0;
    const later = after(1_000, async () => {
      await runOnlyJob('ws-e', '1');
      endedAt = emulated.clock.now();
    });
    const { id } = JSON.parse(
      String(await runSync(later, { endpoint: 'ws-e', owner: 'ada', body: Buffer.from('{"input":{}}') })),
    );
    emulated.clock.advance(endedAt + 60_000 - emulated.clock.now() - 1);
    expect(JSON.parse(String(await status(ports, { endpoint: 'ws-e', id }))).status).toBe('COMPLETED');
    emulated.clock.advance(1);
    await expect(status(ports, { endpoint: 'ws-e', id })).rejects.toThrow(JobExpired);
  });

  it('accepts bodies up to its limit, which is twice that of run', async () => {
    await emulated.deploy('ws-f');
    const limit = payloadLimits.body.runsync;
    expect(limit).toBe(2 * payloadLimits.body.run);
    const body = `{"input":{"a":"${'x'.repeat(limit - '{"input":{"a":""}}'.length + 1)}"}}`;
    const request = { endpoint: 'ws-f', owner: 'ada', body: Buffer.from(body) };
    await expect(runSync(ports, request)).rejects.toThrow(PayloadTooLarge);
    await expect(runSync(ports, request)).rejects.toThrow(`${limit + 1} bytes; /runsync accepts at most ${limit}`);
    const largest = { ...request, body: Buffer.from(body.replace('xx', 'x')), wait: '1000' };
    expect(JSON.parse(String(await runSync(after(0, nothing), largest))).status).toBe('IN_QUEUE');
  });
});

describe('status-sync', () => {
  it('answers immediately for a job that has ended', async () => {
    await emulated.deploy('ws-g');
    const id = await finishJob(ports, 'ws-g', { output: '7' });
    const waiting = after(0, nothing);
    expect(JSON.parse(String(await statusSync(waiting, { endpoint: 'ws-g', id }))).output).toBe(7);
    expect(waiting.pauses).toEqual([]);
  });

  it('answers as soon as the job ends, with any final status', async () => {
    await emulated.deploy('ws-h');
    const job = await startJob(ports, 'ws-h', { executionTimeout: 6_000 });
    const start = emulated.clock.now();
    const record = JSON.parse(String(await statusSync(after(0, nothing), { endpoint: 'ws-h', id: job.id })));
    expect(record).toMatchObject({ status: 'TIMED_OUT', code: 'EXECUTION_TIMEOUT' });
    expect(emulated.clock.now() - start).toBeLessThan(9_500);
  });

  it('refuses a request that status refuses, before it waits', async () => {
    await emulated.deploy('ws-i');
    const waiting = after(0, nothing);
    const unknown = { endpoint: 'ws-i', id: '0'.repeat(36) };
    await expect(statusSync(waiting, unknown)).rejects.toThrow(JobNotFound);
    await expect(statusSync(waiting, { ...unknown, wait: '0' })).rejects.toThrow(InvalidRequest);
    expect(waiting.pauses).toEqual([]);
  });
});
