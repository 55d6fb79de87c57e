/** Tests that a receiver that fails disturbs no sweep, and what the log has of it. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { record } from '../../core/ledger/record.ts';
import { HOUR, MINUTE } from '../../core/limits.ts';
import { REQUEST_TIME } from '../../core/telemetry/limits.ts';
import { sumAll } from '../../core/usage/sweep.ts';
import { finish } from '../../core/workers/report.ts';
import type { Telemetry } from '../../lambda/sweeper/telemetry.ts';
import { startJob } from '../jobs/scripted-job.ts';
import { noReleases } from '../releases/no-releases.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { telemetryTo } from './otlp-receiver.ts';

const emulated = useEmulatedDeployment();
const ports = portsWith(emulated.ports, { ...noReleases(), services: recordServices() });
const { clock } = emulated;

afterEach(() => {
  jest.restoreAllMocks();
});

/** Lines of the log at a level. */
function linesOf(level: 'warn' | 'error'): () => Record<string, unknown>[] {
  const printed = jest.spyOn(console, level).mockReturnValue();
  return () => printed.mock.calls.map(([line]) => JSON.parse(String(line)));
}

const telemetryAt = (port: number) => telemetryTo(`http://127.0.0.1:${port}`, ports, 'INFO');

/** Ends a job, and sums its minute. */
async function endJob(endpoint: string, telemetry: Telemetry | undefined): Promise<void> {
  clock.advance(HOUR - (clock.now() % HOUR));
  await emulated.deploy(endpoint);
  await finish(ports, await startJob(ports, endpoint), { output: '1' });
  await record(ports, await emulated.changes());
  for (let minute = 0; minute < 5; minute += 1) {
    clock.advance(MINUTE);
    expect(await sumAll(ports, await ports.endpoints.list(), telemetry?.addNews)).toEqual(new Map());
  }
}

describe('the telemetry of a sweep', () => {
  it('is logged with counts and a reason, and without the address, if no receiver listens', async () => {
    const lines = linesOf('warn');
    const telemetry = telemetryAt(1);
    await endJob('tf-a', telemetry);
    await telemetry?.send(await ports.endpoints.list());
    await telemetry?.send(await ports.endpoints.list());
    const both = { traces: 'ECONNREFUSED', metrics: 'ECONNREFUSED' };
    expect(lines()).toMatchObject([
      { message: 'Telemetry was not sent.', sent: 0, postponed: 3, reasons: both },
      { message: 'Telemetry was not sent.', sent: 0, postponed: 0, reasons: both },
    ]);
    expect(Number(lines()[1]?.dropped)).toBeGreaterThan(3);
    expect(JSON.stringify(lines())).not.toContain('127.0.0.1');
  });

  it(
    'takes the time of one request if the receiver never answers',
    async () => {
      const lines = linesOf('warn');
      const silent = createServer(() => undefined).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const telemetry = telemetryAt((silent.address() as AddressInfo).port);
      await endJob('tf-b', telemetry);
      const begin = Date.now();
      await telemetry?.send(await ports.endpoints.list());
      expect(Date.now() - begin).toBeLessThan(2 * REQUEST_TIME);
      expect(lines()).toMatchObject([{ reasons: { traces: 'TIMEOUT', metrics: 'TIMEOUT' } }]);
      silent.close();
    },
    4 * REQUEST_TIME,
  );

  it('is logged if it cannot be made, and disturbs no sum', async () => {
    const lines = linesOf('error');
    const fails = () => Promise.reject(new Error('no table'));
    const failing = portsWith(ports, {
      starts: { ...ports.starts, read: fails },
      usageSums: { ...ports.usageSums, summedOf: fails },
    });
    const telemetry = telemetryTo('http://127.0.0.1:1', failing, 'INFO');
    await telemetry?.addNews({ id: 'tf-c' } as never, {
      ...{ from: 0, to: 9, ends: [], attempts: [], deliveries: [] },
      lives: [{ worker: 'w1', from: 1, readyAt: 2, start: {} }],
    });
    await telemetry?.send([]);
    expect(lines()).toMatchObject([
      { message: 'Spans were not made.', endpoint: 'tf-c' },
      { message: 'Metrics were not made.' },
    ]);
  });
});
