/**
 * The tests of random sequences. `model.test.ts` runs a few sequences, `model.long.ts` hundreds, and `npm run
 * proof -w packages/lab` thousands.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { transitions } from '../../../../core/jobs/transitions.ts';
import { faultKinds } from '../calls/faults.ts';
import { modelFigures } from '../figures.ts';
import { MAX_FAULTS } from './arbitraries.ts';
import { type Bench, startBench } from './bench.ts';
import { checkModel, createFigures } from './model.ts';
import { sites } from './sites.ts';

/** Time limit for all sequences of one test, in milliseconds. */
const LIMIT = 600_000;

export interface Sequences {
  /** Fixed, so that a failure can be repeated. */
  readonly seed: number;
  readonly withoutFaults: number;
  readonly withFaults: number;
}

export function testRandomSequences({ seed, withoutFaults, withFaults }: Sequences): void {
  let bench: Bench;
  const figures = createFigures();

  beforeAll(async () => {
    bench = await startBench();
  });
  afterAll(() => bench.stop());

  describe('random sequences of clients, workers and the clock', () => {
    it.each([
      ['without faults', withoutFaults, 0],
      ['with faults', withFaults, MAX_FAULTS],
    ])(
      'break no promise of the service, %s',
      async (_, sequences, maxFaults) => {
        await checkModel(bench, figures, { seed, sequences, sites, maxFaults });
      },
      LIMIT,
    );

    it('apply every row of the transition table and use every kind of fault', () => {
      console.log(modelFigures(figures));
      expect([...figures.rows.keys()]).toEqual(expect.arrayContaining(Object.keys(transitions)));
      expect([...figures.faults.keys()]).toEqual(expect.arrayContaining([...faultKinds]));
      expect([...figures.sites.keys()].filter((site) => !sites.includes(site))).toEqual([]);
    });
  });
}
