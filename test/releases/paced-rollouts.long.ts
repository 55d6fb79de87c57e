/** Tests the release of a template to many endpoints at the rates of ECS, in real time. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RELEASED_AT_ONCE, rollout } from '../../core/releases/template-rollout.ts';
import { startStopwatch } from '../runner/stopwatch.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { atRates, deployMany, imagesOf } from './paced-rollouts.ts';
import { type RollingServices, startRollingServices } from './rolling-service.ts';

const COUNT = 50;

const emulated = useEmulatedDeployment();
let services: RollingServices;
let many: Awaited<ReturnType<typeof deployMany>>;

beforeAll(async () => {
  services = await startRollingServices(emulated);
  many = await deployMany(services, 'rates', COUNT);
}, 120_000);
afterAll(() => services.stop());

describe('a template of 50 endpoints', () => {
  it('is released to all of them at the rates of ECS, and to a few at once', async () => {
    await many[0].edit({ imageName: 'image:2' });
    const watch = startStopwatch();
    const { result, figures } = await atRates(services, { speed: 1 }, (ports) => rollout(ports, [many[0].template]));
    console.log(`${COUNT} releases after ${Math.round(watch.milliseconds() / 1_000)} s:`, figures);
    watch.stop();
    expect(result).toMatchObject({ status: 'fulfilled', value: { length: COUNT } });
    expect(imagesOf(many)).toEqual({ 'image:2': COUNT });
    expect(figures.throttled).toBeGreaterThan(0);
    expect(figures.maxAtOnce).toBeLessThanOrEqual(RELEASED_AT_ONCE);
  }, 600_000);
});
