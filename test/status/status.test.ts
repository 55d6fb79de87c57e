import { describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import { jobId } from '../../core/jobs/id.ts';
import { REPORT_GRACE } from '../../core/limits.ts';
import { EndpointNotFound, JobExpired, JobNotFound } from '../../core/requests/errors.ts';
import { runSync } from '../../core/status/runsync.ts';
import { status } from '../../core/status/status.ts';
import { retry } from '../../core/submission/retry.ts';
import { run } from '../../core/submission/submit.ts';
import { finish, type Report } from '../../core/workers/report.ts';
import { take } from '../../core/workers/take.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const { ports } = emulated;

const submit = async (endpoint: string, body: string) =>
  (await run(ports, { endpoint, owner: 'ada', body: Buffer.from(body) })).id;

async function start(endpoint: string, id: string) {
  const taken = await take(ports, 'worker-1', { endpoint, job: id, attempt: 0, generation: 0 });
  if (taken.outcome !== 'taken') throw new Error(`The job is ${taken.outcome}.`);
  return taken.job;
}

async function runToEnd(endpoint: string, body: string, report: Report) {
  const id = await submit(endpoint, body);
  emulated.clock.advance(250);
  const job = await start(endpoint, id);
  emulated.clock.advance(1_500);
  await finish(ports, job, report);
  return id;
}

describe('status', () => {
  it('returns times, worker and output of a finished job, byte for byte', async () => {
    await emulated.deploy('st-a');
    const output = '{ "big":12345678901234567890,"z":-0,"s":"\\u00e9" }';
    const id = await runToEnd('st-a', '{"input":{}}', { output });
    expect(String(await status(ports, { endpoint: 'st-a', id }))).toBe(
      `{"id":"${id}","status":"COMPLETED","delayTime":250,"executionTime":1500,"workerId":"worker-1","attempts":1,"output":${output}}`,
    );
  });

  it('returns an output that is too large for the item of the job', async () => {
    await emulated.deploy('st-b');
    const output = JSON.stringify('é'.repeat(100_000));
    const id = await runToEnd('st-b', '{"input":{}}', { output });
    expect(String(await status(ports, { endpoint: 'st-b', id }))).toContain(`"output":${output}}`);
  });

  it('returns the error of a failed job as a string, with a code', async () => {
    await emulated.deploy('st-c');
    const id = await runToEnd('st-c', '{"input":{}}', { error: 'no "GPU"\nhere' });
    expect(JSON.parse(String(await status(ports, { endpoint: 'st-c', id })))).toMatchObject({
      status: 'FAILED',
      error: 'no "GPU"\nhere',
      code: 'WORKER_ERROR',
    });
  });

  it('returns the time that a job has waited and run so far', async () => {
    await emulated.deploy('st-d');
    const id = await submit('st-d', '{"input":{}}');
    emulated.clock.advance(40);
    const waiting = JSON.parse(String(await status(ports, { endpoint: 'st-d', id })));
    expect(waiting).toMatchObject({ status: 'IN_QUEUE', delayTime: 40, executionTime: 0 });
    await start('st-d', id);
    emulated.clock.advance(70);
    const record = JSON.parse(String(await status(ports, { endpoint: 'st-d', id })));
    const times = { delayTime: 40, executionTime: 70 };
    expect(record).toEqual({ id, status: 'IN_PROGRESS', ...times, workerId: 'worker-1', attempts: 1 });
  });

  it('returns null as the output of a job whose handler returned nothing', async () => {
    await emulated.deploy('st-d1');
    const id = await runToEnd('st-d1', '{"input":{}}', {});
    expect(JSON.parse(String(await status(ports, { endpoint: 'st-d1', id })))).toMatchObject({
      status: 'COMPLETED',
      output: null,
    });
  });

  it('returns a run time of 0 ms for a job that never ran', async () => {
    await emulated.deploy('st-d2');
    const id = await submit('st-d2', '{"input":{}}');
    emulated.clock.advance(30);
    await cancel(ports, { endpoint: 'st-d2', id });
    emulated.clock.advance(1_000);
    const record = JSON.parse(String(await status(ports, { endpoint: 'st-d2', id })));
    expect(record).toMatchObject({ status: 'CANCELLED', delayTime: 30, executionTime: 0 });
  });

  it('returns TIMED_OUT at the ttl to the millisecond, although no sweep has stored it', async () => {
    await emulated.deploy('st-e');
    const id = await submit('st-e', '{"input":{},"policy":{"ttl":10000}}');
    emulated.clock.advance(9_999);
    expect(JSON.parse(String(await status(ports, { endpoint: 'st-e', id }))).status).toBe('IN_QUEUE');
    emulated.clock.advance(1);
    expect(JSON.parse(String(await status(ports, { endpoint: 'st-e', id })))).toEqual({
      id,
      status: 'TIMED_OUT',
      delayTime: 10_000,
      executionTime: 0,
      attempts: 0,
      error: 'The job waited longer than its ttl of 10000 ms.',
      code: 'QUEUE_TTL_EXPIRED',
    });
  });

  it('stores the end that it returns, so that a late write cannot change it', async () => {
    await emulated.deploy('st-g0');
    const [waiting, running] = [
      await submit('st-g0', '{"input":{},"policy":{"ttl":10000}}'),
      await submit('st-g0', '{"input":{}}'),
    ];
    await start('st-g0', running);
    emulated.clock.advance(600_001 + REPORT_GRACE);
    for (const id of [waiting, running]) {
      expect(JSON.parse(String(await status(ports, { endpoint: 'st-g0', id }))).status).toBe('TIMED_OUT');
      expect(await ports.jobs.read({ endpoint: 'st-g0', id })).toMatchObject({ status: 'TIMED_OUT' });
    }
  });

  it('returns TIMED_OUT for a running job after its deadline and the grace', async () => {
    await emulated.deploy('st-f');
    const id = await submit('st-f', '{"input":{},"policy":{"executionTimeout":6000}}');
    await start('st-f', id);
    emulated.clock.advance(6_000 + REPORT_GRACE);
    expect(JSON.parse(String(await status(ports, { endpoint: 'st-f', id }))).status).toBe('IN_PROGRESS');
    emulated.clock.advance(1);
    expect(JSON.parse(String(await status(ports, { endpoint: 'st-f', id })))).toMatchObject({
      status: 'TIMED_OUT',
      executionTime: 6_000,
      code: 'EXECUTION_TIMEOUT',
    });
  });

  it('returns a result for 30 minutes to the millisecond, then the time when it expired', async () => {
    await emulated.deploy('st-g');
    const id = await runToEnd('st-g', '{"input":{}}', { output: '1' });
    emulated.clock.advance(30 * 60_000 - 1);
    expect(JSON.parse(String(await status(ports, { endpoint: 'st-g', id }))).status).toBe('COMPLETED');
    emulated.clock.advance(1);
    const expired = status(ports, { endpoint: 'st-g', id });
    await expect(expired).rejects.toThrow(JobExpired);
    await expect(expired).rejects.toThrow(new Date(emulated.clock.now()).toISOString());
  });

  it('returns the result of /runsync for 60 seconds to the millisecond', async () => {
    await emulated.deploy('st-s');
    await runSync(ports, { endpoint: 'st-s', owner: 'ada', body: Buffer.from('{"input":{}}'), wait: '1000' });
    const [waiting] = await Array.fromAsync(ports.jobs.list('st-s'));
    const key = { endpoint: 'st-s', id: waiting?.id ?? '' };
    await finish(ports, await start('st-s', key.id), { output: '1' });
    emulated.clock.advance(60_000 - 1);
    expect(JSON.parse(String(await status(ports, key))).status).toBe('COMPLETED');
    emulated.clock.advance(1);
    await expect(status(ports, key)).rejects.toThrow(JobExpired);
    await expect(retry(ports, key)).rejects.toThrow(JobExpired);
  });

  it('reads no job for an invalid endpoint id, and quotes only the beginning of a long id', async () => {
    const endpoint = `${'x'.repeat(79)}${'\u{1f600}'.repeat(1_000)}`;
    const read = async () => Promise.reject(new Error('The table was read.'));
    const blind = portsWith(ports, { jobs: { ...ports.jobs, read } });
    const refused = status(blind, { endpoint, id: jobId('run', 0, new Uint8Array(26)) });
    await expect(refused).rejects.toThrow(EndpointNotFound);
    await expect(refused).rejects.toThrow(`\`${'x'.repeat(79)}\ufffd…\``);
  });

  it('reads the endpoint only while a purge can affect the job', async () => {
    await emulated.deploy('st-i');
    const read = async () => Promise.reject(new Error('The endpoint was read.'));
    const blind = portsWith(ports, { endpoints: { ...ports.endpoints, read } });
    const id = await submit('st-i', '{"input":{}}');
    await expect(status(blind, { endpoint: 'st-i', id })).rejects.toThrow('The endpoint was read.');
    const job = await start('st-i', id);
    expect(JSON.parse(String(await status(blind, job))).status).toBe('IN_PROGRESS');
    await finish(ports, job, { output: '1' });
    expect(JSON.parse(String(await status(blind, job))).status).toBe('COMPLETED');
  });

  it('fails with the same 404 for an unknown job, another endpoint, or an invalid id', async () => {
    await emulated.deploy('st-h');
    await emulated.deploy('st-other');
    const id = await submit('st-h', '{"input":{}}');
    await expect(status(ports, { endpoint: 'st-other', id })).rejects.toThrow(JobNotFound);
    const unknown = jobId('run', 0, new Uint8Array(26));
    for (const strange of [unknown, '..', 'a/b', '', `${id}x`, id.toUpperCase(), 'x'.repeat(10_000), "' OR 1=1"])
      await expect(status(ports, { endpoint: 'st-h', id: strange })).rejects.toThrow(JobNotFound);
    await expect(status(ports, { endpoint: 'nowhere', id })).rejects.toThrow(EndpointNotFound);
  });
});
