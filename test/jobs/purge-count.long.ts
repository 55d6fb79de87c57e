/** Purges a queue of 100,000 jobs, and counts them by the ledger and by a query. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import type { Clock } from '../../core/clock.ts';
import { partitionsOf } from '../../core/jobs/id.ts';
import { purgeCount, purgeQueue } from '../../core/jobs/purge-queue.ts';
import { record } from '../../core/ledger/record.ts';
import { queueLimits } from '../../core/limits.ts';
import { startEmulators } from '../../packages/emulator/emulators/emulators.ts';
import type { SharedEmulators } from '../runner/emulators.ts';
import { openDirectStore } from '../support/direct-store.ts';
import { createEmulatedDeployment, type EmulatedDeployment } from '../support/emulated-deployment.ts';
import { fillQueue, sequenceOf, withStateRestored } from '../support/long-queue.ts';
import { recordServices } from '../support/recorded-services.ts';

const JOBS = 100_000;
const NAME = 'purged';
const LIMIT = 10 * 60_000;

const emulated = createEmulatedDeployment();
const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-purge-'));
let emulators: SharedEmulators & { stop(): Promise<void> };
let ports: EmulatedDeployment['ports'] & { services: ReturnType<typeof recordServices> };

beforeAll(async () => {
  emulators = await startEmulators(folder);
  await emulated.start(emulators);
  ports = portsWith(emulated.ports, { services: recordServices() });
  const endpoint = await emulated.deploy(NAME, { maxWorkers: Math.ceil(JOBS / queueLimits.perWorker) });
  const { store, close } = openDirectStore(folder);
  await fillQueue(emulated, endpoint, JOBS, { store, messages: 0 });
  close();
}, LIMIT);

afterAll(async () => {
  await emulated.stop();
  await emulators.stop();
  rmSync(folder, { recursive: true, force: true });
});

it(
  'counts 100,000 removed jobs by a query if the ledger does not count the markers',
  async () => {
    await withStateRestored(NAME, async () => {
      // The clock does not move during the query.
      expect(await purgeQueue(ports, NAME)).toEqual({ removed: JOBS, status: 'completed' });
    });
  },
  LIMIT,
);

it('counts 100,000 removed jobs by the ledger, without a read of a job', async () => {
  const begin = emulated.clock.now();
  let sequence = JOBS;
  const clock: Clock = {
    now: () => emulated.clock.now(),
    async pause(milliseconds) {
      const markers = partitionsOf(NAME).map((partition, n) => ({
        sequence: sequenceOf(sequence + n),
        marker: { endpoint: NAME, partition, generation: 0 },
      }));
      sequence += markers.length;
      await record(ports, markers);
      await emulated.clock.pause(milliseconds);
    },
  };
  expect(await purgeQueue(portsWith(ports, { clock }), NAME)).toEqual({ removed: JOBS, status: 'completed' });
  expect(emulated.clock.now() - begin).toBeLessThan(purgeCount.ledger);
});
