/** Measures what a scrape of Prometheus reads, and compares it with `docs/guides/prometheus.md`. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { createSecretPorts } from '../../aws/secret-ports.ts';
import { record } from '../../core/ledger/record.ts';
import { LEASE, MINUTE, SECOND } from '../../core/limits.ts';
import { expositionOf, seriesNameOf } from '../../core/usage/exposition.ts';
import { histogramOf } from '../../core/usage/histogram.ts';
import { metricDefinitions } from '../../core/usage/metrics.ts';
import { scrape } from '../../core/usage/scrape.ts';
import { sumsSchema } from '../../core/usage/sums.ts';
import { numbersOf } from '../../core/usage/totals.ts';
import { readPrices } from '../../lib/prices/prices.ts';
import { submitJob } from '../jobs/scripted-job.ts';
import { noReleases } from '../releases/no-releases.ts';
import { createCallCounter } from '../support/call-counter.ts';
import { endpointConfig } from '../support/endpoint-config.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const guide = readFileSync('docs/guides/prometheus.md', 'utf8');
const emulated = useEmulatedDeployment();
const { clock } = emulated;
const ports = portsWith(emulated.ports, { ...noReleases(), services: recordServices() });
const counter = createCallCounter();
const countedPorts = createSecretPorts({ clock, onClient: counter.onClient });

/** Distributions over all buckets, from a millisecond to a day. */
const everywhere = histogramOf(Array.from({ length: 101 }, (_, n) => 1.2 ** n));
const totals = numbersOf({
  ...sumsSchema.parse({}),
  ...{ delay: everywhere, run: everywhere, delaySum: 123_456_789, runSum: 123_456_789, ready: 123_456 },
  ended: Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`CODE_OF_A_FAILURE_${n}`, 123_456])),
});
const counted = { to: 0, edition: 1, totals, owed: {} };

const COUNT = 20;
const ids = Array.from({ length: COUNT }, (_, n) => `sc-${n}`);

/** Units for 100 endpoints. */
async function unitsOfScrape(): Promise<number> {
  const { rru } = await counter.countOf(() => scrape(countedPorts, { permitted: ['*'] }));
  return Math.ceil((rru * 100) / COUNT);
}

beforeAll(async () => {
  for (const id of ids) {
    await emulated.deploy(id);
    await ports.usageSums.saveSummed(id, undefined, { to: clock.now(), counted });
  }
});

describe('the guide to Prometheus', () => {
  const rowOf = (text: string) =>
    guide
      .split('\n')
      .find((line) => line.startsWith(`| ${text} `))
      ?.split('|')
      .slice(2, -1)
      .map((cell) => cell.trim());
  const dollars = (units: number, perMinute: number) => {
    const { readUnit } = readPrices('us-east-1').perMillion;
    return `$${(((units * perMinute * 60 * 730) / 1e6) * readUnit.price).toFixed(2)}`;
  };

  it('lists each metric with its type', () => {
    const rows = [...guide.matchAll(/^\| `(gpu_\w+)` +\| (\w+)/gm)].map(([, name, kind]) => [name, kind]);
    expect(rows).toEqual(metricDefinitions.map((definition) => [seriesNameOf(definition), definition.kind]));
  });

  it('states what a scrape reads of idle and of busy endpoints, and what that costs', async () => {
    const idle = await unitsOfScrape();
    expect(rowOf('100 idle')).toEqual([String(idle), dollars(idle, 1), dollars(idle, 4)]);
    for (const id of ids) {
      await submitJob(ports, id);
      for (let n = 0; n < 3; n += 1)
        await ports.workers.beat({
          ...{ endpoint: id, worker: `w${n}`, jobs: [], readySince: clock.now() },
          ...{ endsAt: clock.now() + LEASE, removeAfter: Math.ceil((clock.now() + MINUTE) / SECOND) },
        });
    }
    await record(ports, await emulated.changes());
    const busy = await unitsOfScrape();
    expect(rowOf('100 busy')).toEqual([String(busy), dollars(busy, 1), dollars(busy, 4)]);
  });

  it('has room in a response of Lambda for the metrics of as many endpoints as a deployment can have', () => {
    const id = 'an-endpoint-with-quite-a-long-name';
    const endpoint = {
      ...endpointConfig(id),
      ...{ generation: 0, purgedAt: 0, purgedCounters: [], fleet: { facts: [] } as never },
      counts: { inQueue: 1, lowInQueue: 0, inProgress: 1, completed: 0, failed: 0, retried: 0 },
    };
    const facts = { endpoint, leases: [], oldestWaiting: 1, now: clock.now(), summed: { to: 0, counted } };
    const bytes = expositionOf([facts], 'openMetrics').length;
    expect(bytes * 475).toBeLessThan(6_000_000);
  });
});
