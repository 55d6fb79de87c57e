import { describe, expect, it } from '@jest/globals';
import { liveCount } from '../../core/releases/endpoint-stack.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();

describe('the live count', () => {
  it('is the number of workers that the endpoint’s service runs', async () => {
    const services = recordServices();
    const { cluster, service } = await emulated.deploy('lc-same');
    await services.setDesired({ cluster, service }, 2);
    const { endpoints } = emulated.ports;
    expect(await liveCount({ endpoints, services }, { endpoint: 'lc-same', cluster })).toBe(2);
  });

  it('is 0 for an endpoint that is not deployed yet', async () => {
    const { endpoints } = emulated.ports;
    const asked = { endpoint: 'lc-new', cluster: 'fleet' };
    expect(await liveCount({ endpoints, services: recordServices() }, asked)).toBe(0);
  });

  it('is the stored count if the service is in another cluster, and the previous service is not read', async () => {
    const { endpoints } = emulated.ports;
    const refused = () => Promise.reject(new Error('AccessDeniedException'));
    const services = { desired: refused, desiredOf: refused, setDesired: refused };
    await emulated.deploy('lc-moved', { minWorkers: 1 });
    const asked = { endpoint: 'lc-moved', cluster: 'another' };
    expect(await liveCount({ endpoints, services }, asked)).toBe(1);
    await endpoints.setDesired('lc-moved', undefined, 3);
    expect(await liveCount({ endpoints, services }, asked)).toBe(3);
  });
});
