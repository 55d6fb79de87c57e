/** Tests the metrics for Prometheus over the emulators. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { createSecretPorts } from '../../aws/secret-ports.ts';
import { record } from '../../core/ledger/record.ts';
import { HOUR, LEASE, MINUTE, SECOND } from '../../core/limits.ts';
import { EndpointNotFound } from '../../core/requests/errors.ts';
import { metricDefinitions } from '../../core/usage/metrics.ts';
import { type ScrapeRequest, scrape } from '../../core/usage/scrape.ts';
import { sumAll } from '../../core/usage/sweep.ts';
import { finish } from '../../core/workers/report.ts';
import { startJob, submitJob } from '../jobs/scripted-job.ts';
import { noReleases } from '../releases/no-releases.ts';
import { createCallCounter } from '../support/call-counter.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { hasGo, readByPrometheus } from './prometheus.ts';

const emulated = useEmulatedDeployment();
const ports = portsWith(emulated.ports, { ...noReleases(), services: recordServices() });
const { clock } = emulated;
const workerPrice = { hour: 3.6, date: '2026-08-21', region: 'us-east-1' };

const scrapeOf = (endpoint: string, more: Partial<ScrapeRequest> = {}) =>
  scrape(ports, { permitted: ['*'], endpoint, ...more });

/** Returns the number of a series without further labels. */
async function counterOf(endpoint: string, name: string): Promise<number> {
  const { text } = await scrapeOf(endpoint);
  const [line = ''] = text.split('\n').filter((one) => one.startsWith(`${name}{endpoint="${endpoint}"} `));
  return Number(line.split(' ')[1]);
}

const sumNow = async () => sumAll(ports, await ports.endpoints.list());

async function sum(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    clock.advance(MINUTE);
    await record(ports, await emulated.changes());
    expect(await sumNow()).toEqual(new Map());
  }
}

const beat = (endpoint: string, jobs: readonly string[], readySince = clock.now() - SECOND) =>
  ports.workers.beat({
    ...{ endpoint, worker: 'w1', jobs: [...jobs], readySince },
    ...{ endsAt: clock.now() + LEASE, removeAfter: 1 },
  });

/** Runs a job for a minute and a half, and ends it. */
async function runJob(endpoint: string, report: object): Promise<void> {
  const job = await startJob(ports, endpoint);
  await beat(endpoint, [job.id]);
  clock.advance(90 * SECOND);
  await finish(ports, job, report as never);
}

beforeEach(() => {
  // Each test begins at a whole hour.
  clock.advance(2 * HOUR - (clock.now() % HOUR));
});

describe('the metrics for Prometheus', () => {
  it('count what was summed, and show the queue of now', async () => {
    await emulated.deploy('mx-all', { workerPrice });
    await runJob('mx-all', { output: '1' });
    await runJob('mx-all', { error: 'no "seed"' });
    await sum(8);
    await submitJob(ports, 'mx-all');
    await submitJob(ports, 'mx-all', { lowPriority: true });
    clock.advance(MINUTE);
    await record(ports, await emulated.changes());
    const { text, contentType } = await scrapeOf('mx-all');
    expect(contentType).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    const lines = text.split('\n');
    for (const line of [
      'gpu_endpoints_endpoint_info{endpoint="mx-all",template="endpoint-mx-all",pool="fargate"} 1',
      'gpu_endpoints_job_queue_depth{endpoint="mx-all",priority="normal"} 1',
      'gpu_endpoints_job_queue_depth{endpoint="mx-all",priority="low"} 1',
      'gpu_endpoints_job_queue_oldest_age_seconds{endpoint="mx-all",priority="normal"} 50',
      'gpu_endpoints_job_ended_total{endpoint="mx-all"} 1',
      'gpu_endpoints_job_ended_total{endpoint="mx-all",error_type="WORKER_ERROR"} 1',
      'gpu_endpoints_job_run_duration_seconds_sum{endpoint="mx-all"} 180',
      'gpu_endpoints_job_run_duration_seconds_count{endpoint="mx-all"} 2',
      'gpu_endpoints_job_run_duration_seconds_bucket{endpoint="mx-all",le="+Inf"} 2',
      'gpu_endpoints_worker_time_seconds_total{endpoint="mx-all",state="busy"} 180',
      '# UNIT gpu_endpoints_worker_cost_dollars dollars',
    ])
      expect(lines).toContain(line);
    expect(text.endsWith('\n# EOF\n')).toBe(true);
    // Both runs took 90 s.
    const buckets = lines.filter((line) => line.startsWith('gpu_endpoints_job_run_duration_seconds_bucket'));
    const countAt = (limit: number) => buckets.find((line) => line.includes(`le="${limit}.`))?.split(' ')[1];
    expect([countAt(56), countAt(116)]).toEqual(['0', '2']);
  });

  it('are in the format of Prometheus if the client accepts nothing else', async () => {
    await emulated.deploy('mx-plain');
    const { text, contentType } = await scrapeOf('mx-plain', { accept: 'text/plain;version=0.0.4' });
    expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(text).toContain('# TYPE gpu_endpoints_endpoint_info gauge\n');
    expect(text).not.toContain('# EOF');
    const { contentType: other } = await scrapeOf('mx-plain', {
      accept: 'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.2,*/*;q=0.1',
    });
    expect(other).toMatch(/^application\/openmetrics-text/);
  });

  it('are of the endpoints that the caller may call', async () => {
    await emulated.deploy('mx-mine');
    await emulated.deploy('mx-other');
    const { text } = await scrape(ports, { permitted: ['mx-mine'] });
    expect(text).toContain('endpoint="mx-mine"');
    expect(text).not.toContain('mx-other');
    await expect(scrape(ports, { permitted: ['mx-mine'], endpoint: 'mx-other' })).rejects.toThrow(EndpointNotFound);
  });

  it('count each minute once, also if a sum fails before it has stored the totals', async () => {
    await emulated.deploy('mx-once');
    await runJob('mx-once', { output: '1' });
    const { usageSums } = ports;
    let failures = 3;
    const failing = portsWith(ports, {
      usageSums: {
        ...usageSums,
        async saveSummed(...saved: Parameters<typeof usageSums.saveSummed>) {
          failures -= 1;
          if (failures >= 0) throw new Error('The process has died.');
          return usageSums.saveSummed(...saved);
        },
      },
    });
    for (let minute = 0; minute < 8; minute += 1) {
      clock.advance(MINUTE);
      await record(ports, await emulated.changes());
      await sumAll(failing, await ports.endpoints.list());
    }
    expect(failures).toBeLessThan(0);
    expect(await counterOf('mx-once', 'gpu_endpoints_job_ended_total')).toBe(1);
  });

  it('never fall and count once if an older sum is stored after a newer one', async () => {
    await emulated.deploy('mx-late');
    await runJob('mx-late', { output: '1' });
    const { usageSums } = ports;
    let storeLater = async (): Promise<boolean> => {
      throw new Error('The endpoint was not summed.');
    };
    const slow = portsWith(ports, {
      usageSums: {
        ...usageSums,
        async saveSummed(...saved: Parameters<typeof usageSums.saveSummed>) {
          if (saved[0] === 'mx-late') storeLater = () => usageSums.saveSummed(...saved);
          return true;
        },
      },
    });
    clock.advance(MINUTE);
    await record(ports, await emulated.changes());
    // An endpoint without jobs is summed at each fifth minute.
    clock.advance(10 * MINUTE - (clock.now() % (5 * MINUTE)));
    await sumAll(slow, await ports.endpoints.list());
    await runJob('mx-late', { output: '1' });
    await sum(8);
    const before = await counterOf('mx-late', 'gpu_endpoints_job_ended_total');
    await storeLater();
    expect([before, await counterOf('mx-late', 'gpu_endpoints_job_ended_total')]).toEqual([2, 2]);
    await sum(8);
    expect(await counterOf('mx-late', 'gpu_endpoints_job_ended_total')).toBe(2);
  });

  it('continue to count after the endpoint was removed and deployed again', async () => {
    await emulated.deploy('mx-again');
    await runJob('mx-again', { output: '1' });
    await sum(8);
    await ports.endpoints.remove('mx-again');
    await sum(1);
    await emulated.deploy('mx-again');
    expect(await counterOf('mx-again', 'gpu_endpoints_job_ended_total')).toBe(1);
  });

  it('read an idle endpoint only in the reads of all, and a busy one by two queries', async () => {
    const counter = createCallCounter();
    const counted = createSecretPorts({ clock, onClient: counter.onClient });
    const permitted = Array.from({ length: 10 }, (_, n) => `mx-idle-${n}`);
    for (const id of permitted) await emulated.deploy(id);
    const idle = await counter.countOf(() => scrape(counted, { permitted }));
    expect(idle.calls).toBe(2);
    await submitJob(ports, 'mx-idle-1');
    await record(ports, await emulated.changes());
    const busy = await counter.countOf(() => scrape(counted, { permitted }));
    expect(busy.calls - idle.calls).toBeLessThanOrEqual(3);
    expect(busy.wru).toBe(0);
  });

  (hasGo() ? it : it.skip)(
    'are read by Prometheus in both formats, with the same series',
    async () => {
      await emulated.deploy('mx-go', { workerPrice });
      await runJob('mx-go', { output: '1' });
      await runJob('mx-go', { error: 'no seed' });
      await sum(8);
      const scraped = await scrapeOf('mx-go');
      const plain = await scrapeOf('mx-go', { accept: 'text/plain' });
      const read = await readByPrometheus(scraped.text, scraped.contentType);
      const byType = (type: string) => Object.values(read.types).filter((one) => one === type).length;
      for (const kind of ['counter', 'gauge', 'histogram', 'info'] as const)
        expect([kind, byType(kind)]).toEqual([kind, metricDefinitions.filter((one) => one.kind === kind).length]);
      expect(read.units.gpu_endpoints_worker_cost_dollars).toBe('dollars');
      const failed = read.series.find(({ labels }) => labels.error_type === 'WORKER_ERROR');
      expect(failed).toEqual({
        labels: { __name__: 'gpu_endpoints_job_ended_total', endpoint: 'mx-go', error_type: 'WORKER_ERROR' },
        value: 1,
      });
      expect((await readByPrometheus(plain.text, plain.contentType)).series).toEqual(read.series);
      await expect(readByPrometheus(scraped.text.replace('# EOF\n', ''), scraped.contentType)).rejects.toThrow('EOF');
    },
    2 * MINUTE,
  );
});
