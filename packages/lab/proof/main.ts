/**
 * `npm run proof -w packages/lab`: explores the job machine exhaustively, and tests the product with thousands of
 * random sequences, interleavings and faults. Exits with 1 if a promise breaks, or if the runs miss a row of the table
 * or a kind of fault.
 */
import { readFlags, readOrExit } from '../../../bin/flags.ts';
import { transitions } from '../../../core/jobs/transitions.ts';
import { proveByExploring } from './explorer/prove.ts';
import { explorerFigures, modelFigures, unreached, unvisited } from './figures.ts';
import { MAX_FAULTS } from './model/arbitraries.ts';
import { startBench } from './model/bench.ts';
import { checkModel, createFigures } from './model/model.ts';
import { sites } from './model/sites.ts';
import { proveByMutants } from './mutants/prove.ts';

const help = `Usage: npm run proof -w packages/lab -- [options]

Visits every state of the job machine within small bounds, and then runs random sequences with the real use-cases and
the emulators. Prints what was visited. Takes about ten minutes; --sequences 300 takes one or two.

  --seed N        seed of the random sequences; default: a new one, which is printed
  --sequences N   number of random sequences, a third of them with faults; default: 2000
  --path P        continues at a failure of this seed; its report contains the path
  --faults        with --path: the failure was found with faults
  --only LAYER    run only the explorer or only the model
  --full          also runs the explorer's longest walks, up to millions of states each
  --mutants       removes each of the twelve guards, one at a time, and counts how many the layers notice
  --help          prints this help
`;

const options = {
  seed: { type: 'string' },
  sequences: { type: 'string', default: '2000' },
  path: { type: 'string' },
  faults: { type: 'boolean', default: false },
  only: { type: 'string' },
  full: { type: 'boolean', default: false },
  mutants: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;
const values = readOrExit(() => readFlags('proof -w packages/lab', options, process.argv.slice(2)));

/** @throws an error with the option, its value and the allowed values */
function wholeNumber(name: string, text: string, min: number): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) < min)
    throw new Error(`--${name} is ${text}; it must be a whole number of at least ${min} with at most 10 digits.`);
  return Number(text);
}

function explore(): boolean {
  const proof = proveByExploring(values.full ? 'full' : 'quick');
  console.log(explorerFigures(proof));
  for (const { violation } of proof.walks) if (violation) console.log(violation.trace.join('\n'));
  const missed = Object.keys(transitions).filter((row) => !proof.rows[row]);
  if (missed.length > 0) console.log(`rows that were never applied: ${missed.join(', ')}`);
  return proof.holds && missed.length === 0;
}

async function model(seed: number, sequences: number): Promise<boolean> {
  const figures = createFigures();
  const bench = await startBench();
  const withFaults = Math.floor(sequences / 3);
  const { path } = values;
  const parts = [
    { maxFaults: 0, sequences: sequences - withFaults },
    { maxFaults: MAX_FAULTS, sequences: withFaults },
  ].filter(({ maxFaults }) => path === undefined || maxFaults > 0 === values.faults);
  try {
    for (const part of parts) await checkModel(bench, figures, { seed, sites, ...part, path });
  } catch (error) {
    console.log((error as Error).message, (error as Error).cause);
    return false;
  } finally {
    await bench.stop();
    console.log(modelFigures(figures));
  }
  const missing = path === undefined ? unvisited(figures) : [];
  for (const site of unreached(figures)) console.log(`not reached by these sequences: ${site}`);
  for (const name of missing) console.log(`never visited: ${name}`);
  return missing.length === 0;
}

async function main(): Promise<boolean> {
  if (values.help) {
    console.log(help);
    return true;
  }
  const seed = wholeNumber('seed', values.seed ?? String(Date.now() % 1_000_000_000), 0);
  const sequences = wholeNumber('sequences', values.sequences, 3);
  if (values.only !== undefined && !['explorer', 'model'].includes(values.only))
    throw new Error(`--only is ${values.only}; it must be explorer or model.`);
  if (values.mutants) return proveByMutants(seed);
  console.log(`seed ${seed}`);
  const explored = values.only === 'model' || explore();
  const modelled = values.only === 'explorer' || (await model(seed, sequences));
  return explored && modelled;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
