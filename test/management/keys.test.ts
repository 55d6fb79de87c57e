import { expect, it } from '@jest/globals';
import { makeKey } from '../../core/management/keys.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();

it('refuses the budget of a key in a deployment that sums no costs', async () => {
  const make = (grant: object, hasHistory: boolean) =>
    makeKey(
      { clock: emulated.clock, keys: emulated.ports.keys, hasHistory },
      Buffer.from(JSON.stringify(grant)),
      Buffer.alloc(64, 7),
    );
  const grant = { name: 'ci', maxDollarsPerDay: 5 };
  await expect(make(grant, false)).rejects.toThrow('`maxDollarsPerDay` must be omitted with `historyDays: 0`');
  expect(await make({ name: 'ci' }, false)).toMatchObject({ name: 'ci' });
});
