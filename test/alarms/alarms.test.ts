/** Tests that each alarm of the stacks goes off after a fault and is over afterwards, and none while nothing happens. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { HOUR, MINUTE } from '../../core/limits.ts';
import { declare, synthesize } from '../lib/synthesis.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { causes } from './causes.ts';
import { alarmsOf, ENDPOINT, type WatchedDeployment, watchDeployment } from './watched-deployment.ts';

/** Thresholds of the alarms that exist only by setting. */
const alarms = { rolledBack: 5 * MINUTE, webhooksPercent: 10, volumePercent: 80 };

const definitions = alarmsOf(synthesize(declare(ENDPOINT, { alarms })));
const names = [...definitions.keys()].toSorted((one, other) => one.localeCompare(other));

/** Maximum minutes until an alarm goes off or is over. */
const PATIENCE = 70;

const emulated = useEmulatedDeployment();
let watched: WatchedDeployment;

beforeAll(async () => {
  await emulated.deploy(ENDPOINT);
  watched = await watchDeployment(emulated, definitions);
  await watched.pass();
});

it('have a cause, and each cause has an alarm', () => {
  expect(Object.keys(causes).toSorted((one, other) => one.localeCompare(other))).toEqual(names);
});

describe('an idle hour', () => {
  it('lets no alarm go off', async () => {
    for (let minute = 0; minute < HOUR / MINUTE; minute += 1) {
      await watched.pass();
      expect({ minute, fired: watched.fired() }).toEqual({ minute, fired: [] });
    }
  });
});

describe('each alarm goes off and is over', () => {
  it.each(names.map((name) => [name, causes[name]?.(name).way]))('%s, by a %s', async (name = '') => {
    const cause = causes[name]?.(name);
    if (!cause) throw new Error(`${name} has no row in causes.ts.`);
    let minutes = 0;
    for (; !watched.fired().includes(name) && minutes < PATIENCE; minutes += 1) {
      await cause.happens(watched);
      await watched.pass(cause.isInstead && name);
    }
    expect(watched.fired()).toContain(name);
    await cause.ends?.(watched);
    for (minutes = 0; watched.fired().length > 0 && minutes < PATIENCE; minutes += 1) {
      await cause.follows?.(watched);
      await watched.pass();
    }
    expect(watched.fired()).toEqual([]);
  });
});
