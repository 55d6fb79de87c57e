/** Tests what happened on an endpoint lately, over the emulators. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { observe } from '../../core/fleet/observe.ts';
import { record } from '../../core/ledger/record.ts';
import { DAY, HOUR, LEASE, MINUTE, SECOND } from '../../core/limits.ts';
import { endpoints } from '../../core/management/endpoints.ts';
import { InvalidRequest } from '../../core/requests/errors.ts';
import { recentOf } from '../../core/usage/recent.ts';
import { series } from '../../core/usage/series.ts';
import { sumAll } from '../../core/usage/sweep.ts';
import { finish } from '../../core/workers/report.ts';
import { taskEvent } from '../fleet/events.ts';
import { startJob } from '../jobs/scripted-job.ts';
import { noReleases } from '../releases/no-releases.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const ports = portsWith(emulated.ports, { ...noReleases(), services: recordServices() });
const { clock } = emulated;
const workerPrice = { hour: 3.6, date: '2026-08-21', region: 'us-east-1' };

const now = () => clock.now();

async function sum(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    clock.advance(MINUTE);
    await record(ports, await emulated.changes());
    expect(await sumAll(ports, await ports.endpoints.list())).toEqual(new Map());
  }
}

const ended = async (endpoint: string, ending: { output: string } | { error: string }) => {
  const job = await startJob(ports, endpoint);
  clock.advance(10 * SECOND);
  await finish(ports, job, ending);
};

beforeAll(async () => {
  // Ten minutes after midnight.
  clock.advance(2 * DAY - (now() % DAY) - 50 * MINUTE);
  await emulated.deploy('re-a', { workerPrice });
  await ended('re-a', { output: '1' });
  await observe(ports, taskEvent({ service: 're-a', worker: 'w1', at: now(), stoppedAt: now() }));
  await sum(65);
});

describe('what happened on an endpoint lately', () => {
  it('has the jobs of the last hour, those of earlier hours, and the cost since midnight', async () => {
    const before = await recentOf(ports, 're-a');
    expect(before.lastHour).toEqual({ ended: 0, failed: 0, failedWebhooks: 0 });
    expect(before.hours).toMatchObject([{ ended: 1, failed: 0 }]);
    expect(before.today.dollars).toBe(0);

    const job = await startJob(ports, 're-a');
    await ports.workers.beat({
      ...{ endpoint: 're-a', worker: 'w2', jobs: [job.id], readySince: now() - SECOND },
      ...{ endsAt: now() + LEASE, removeAfter: 1 },
    });
    await observe(
      ports,
      taskEvent({ service: 're-a', worker: 'w2', at: now(), startedAt: now() - SECOND, lastStatus: 'RUNNING' }),
    );
    clock.advance(MINUTE);
    await finish(ports, job, { error: 'no seed' });
    await observe(ports, taskEvent({ service: 're-a', worker: 'w2', at: now(), stoppedAt: now() }));
    await ended('re-a', { output: '1' });
    await sum(5);
    const { lastHour, hours, today, summedTo } = await recentOf(ports, 're-a');
    expect(lastHour).toMatchObject({ ended: 2, failed: 1, p95DelayTime: expect.any(Number) });
    expect(hours).toMatchObject([
      { ended: 1, failed: 0 },
      { ended: 2, failed: 1 },
    ]);
    const since = new Date(now() - (now() % DAY)).toISOString();
    const { dollars } = (await series(ports, { endpoint: 're-a', since })).total;
    expect(today.dollars).toBeGreaterThan(0.05);
    expect(today.dollars).toBeCloseTo((dollars?.busy ?? 0) + (dollars?.idle ?? 0) + (dollars?.starting ?? 0), 5);
    expect(now() - Date.parse(summedTo)).toBeLessThan(HOUR);
  });

  it('is the same after its hour has been summed, and has no more than a day', async () => {
    await sum(70);
    expect((await recentOf(ports, 're-a')).hours).toMatchObject([{ ended: 1 }, { ended: 2, failed: 1 }]);
    clock.advance(DAY);
    expect(await recentOf(ports, 're-a')).toMatchObject({ hours: [], today: { dollars: 0 } });
  });

  it('counts the webhooks that failed within the hour, at most one page of them', async () => {
    const failures = Array.from({ length: 250 }, (_, number) => now() - number * 10 * SECOND);
    let read = 0;
    const deliveries = {
      async *failures(endpoint: string) {
        for (const failedAt of failures) {
          read += 1;
          yield { endpoint, id: 'x', completion: 0, failedAt };
        }
      },
    };
    const count = async () => (await recentOf(portsWith(ports, { deliveries }), 're-a')).lastHour.failedWebhooks;
    expect(await count()).toBe(100);
    expect(read).toBe(100);
    failures.splice(3, failures.length, now() - 2 * HOUR, now() - 3 * HOUR);
    expect(await count()).toBe(3);
  });

  it('is in the list of endpoints only if the request asks for it', async () => {
    const listing = portsWith(ports, { templates: { read: async () => undefined } });
    const caller = { owner: 'ada', permitted: ['*'] };
    const [plain] = (await endpoints(listing, caller)).endpoints;
    expect(plain).not.toHaveProperty('recent');
    const [full] = (await endpoints(listing, { ...caller, include: 'recent' })).endpoints;
    expect(full?.recent).toEqual(await recentOf(ports, 're-a'));
    await expect(endpoints(listing, { ...caller, include: 'all' })).rejects.toThrow(InvalidRequest);
  });

  it('is absent without a history', async () => {
    const usageSums = { ...ports.usageSums, isKept: false };
    const listing = portsWith(ports, { templates: { read: async () => undefined }, usageSums });
    const [one] = (await endpoints(listing, { owner: 'ada', permitted: ['*'], include: 'recent' })).endpoints;
    expect(one).not.toHaveProperty('recent');
  });
});
