import { expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { record } from '../../core/ledger/record.ts';
import { LEASE } from '../../core/limits.ts';
import { leasesOnce } from '../../core/sweeper/leases-once.ts';
import { sweep } from '../../core/sweeper/sweep.ts';
import { checkBudgets } from '../../core/usage/budgets.ts';
import { sumAll } from '../../core/usage/sweep.ts';
import { startJob, submitJob } from '../jobs/scripted-job.ts';
import { noReleases } from '../releases/no-releases.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();

it('reads the leases of an endpoint once in a sweep with its sums and budgets', async () => {
  await emulated.deploy('on-a', { maxDollarsPerDay: 5 });
  const { clock } = emulated;
  const { id } = await startJob(emulated.ports, 'on-a');
  await submitJob(emulated.ports, 'on-a');
  const lease = { endpoint: 'on-a', worker: 'w1', jobs: [id], removeAfter: 1, readySince: 1 };
  await emulated.ports.workers.beat({ ...lease, endsAt: clock.now() + LEASE });
  await record({ ...emulated.ports, services: recordServices() }, await emulated.changes());
  let reads = 0;
  const { workers } = emulated.ports;
  const counted = {
    ...workers,
    list(endpoint: string) {
      reads += 1;
      return workers.list(endpoint);
    },
  };
  const ports = portsWith(emulated.ports, {
    ...noReleases(),
    services: recordServices(),
    workers: leasesOnce(counted),
  });
  const { endpoints, failed } = await sweep(ports);
  const errors = [await sumAll(ports, endpoints), await checkBudgets(ports, endpoints)];
  expect([failed, ...errors.map(({ size }) => size)]).toEqual([{}, 0, 0]);
  expect(reads).toBe(1);
});

it('repeats a read that has failed', async () => {
  let reads = 0;
  const once = leasesOnce({
    ...emulated.ports.workers,
    async list() {
      reads += 1;
      if (reads === 1) throw new Error('ThrottlingException');
      return [];
    },
  });
  await expect(once.list('on-b')).rejects.toThrow('ThrottlingException');
  expect([await once.list('on-b'), await once.list('on-b'), reads]).toEqual([[], [], 2]);
});
