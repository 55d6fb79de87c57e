/** A few hundred random sequences of the same seed each time; `npm run proof` tries thousands of others. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { transitions } from '../../core/jobs/transitions.ts';
import { faultKinds } from './calls/faults.ts';
import { modelFigures } from './figures.ts';
import { MOST_FAULTS } from './model/arbitraries.ts';
import { type Bench, startBench } from './model/bench.ts';
import { checkModel, createFigures } from './model/model.ts';
import { sites } from './model/sites.ts';

const SEED = Number(process.env.PROOF_SEED ?? 3);
const LIMIT = 300_000;

let bench: Bench;
const figures = createFigures();

beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.stop());

describe('random sequences of what clients, workers and the clock do', () => {
  it.each([
    ['without faults', 120, 0],
    ['with faults', 60, MOST_FAULTS],
  ])(
    'keep every promise, in any order, %s',
    async (_, sequences, mostFaults) => {
      console.log(`seed ${SEED}`);
      await checkModel(bench, figures, { seed: SEED, sequences, sites, mostFaults });
    },
    LIMIT,
  );

  it('take every row of the transition table, and are struck by every kind of fault', () => {
    console.log(modelFigures(figures));
    expect([...figures.rows.keys()]).toEqual(expect.arrayContaining(Object.keys(transitions)));
    expect([...figures.faults.keys()]).toEqual(expect.arrayContaining([...faultKinds]));
    expect([...figures.sites.keys()].filter((site) => !sites.includes(site))).toEqual([]);
  });
});
