/**
 * Searches for a broken promise with random sequences, and prints the first one. Runs in a copy of the tree that
 * lacks a guard.
 *
 *   node packages/lab/proof/mutants/hunt.ts SEED SEQUENCES MAX_FAULTS     exits with 3 if it found one
 */
import { startBench } from '../model/bench.ts';
import { checkModel, createFigures } from '../model/model.ts';
import { sites } from '../model/sites.ts';

const FOUND = 3;
const [seed = 0, sequences = 0, maxFaults = 0] = process.argv.slice(2).map(Number);
const figures = createFigures();
const bench = await startBench();
try {
  await checkModel(bench, figures, { seed, sequences, maxFaults, sites, simplify: false });
} catch (error) {
  const [what = ''] = String((error as { cause?: Error }).cause?.message).split('\n');
  console.log(`after ${figures.sequences} sequences: ${what}`);
  process.exitCode = FOUND;
} finally {
  await bench.stop();
}
