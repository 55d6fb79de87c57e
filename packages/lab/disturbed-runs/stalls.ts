/**
 * `npm run stalls -w packages/lab`: runs the tests and repeatedly stops all their processes for a while, as on a
 * stalled machine.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readArguments, readOrExit } from '../../../bin/flags.ts';
import { newSeed } from '../../../test/runner/seed.ts';
import { atTheEnd, commandOf, endRun, runMarked } from './run.ts';

const HELP = `Usage: npm run stalls -w packages/lab -- [options] [-- arguments of npm test]

Runs npm test once, stops all processes of the run at random moments, and continues them. Prints the seed,
whether the run passed, how long it took, and its processor time. Exits with 1 if it failed. Needs Linux.

  --seed N             seed of the moments (default: a new seed, which is printed)
  --pause MIN-MAX      seconds between two stops (default: 10-30)
  --stop N             length of a stop in seconds (default: 2)
  --command PROGRAM    program to run with the arguments, instead of npm test
  --help               print this help
`;

const STOP_AND_GO = fileURLToPath(new URL('stop-and-go.ts', import.meta.url));
const SECONDS = /^\d{1,4}(?:\.\d+)?$/;

const flags = {
  seed: { type: 'string', default: String(newSeed()) },
  pause: { type: 'string', default: '10-30' },
  stop: { type: 'string', default: '2' },
  command: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;
const { values, positionals } = readOrExit(() => readArguments('stalls -w packages/lab', flags, process.argv.slice(2)));

/** @throws Error if the value is invalid */
function options() {
  const { seed, pause, stop } = values;
  const [minPause = '', maxPause = '', ...more] = pause.split('-');
  if (!/^\d{1,15}$/.test(seed)) throw new Error(`--seed is ${seed}; it must be a whole number.`);
  if (!SECONDS.test(stop)) throw new Error(`--stop is ${stop}; it must be a number of seconds.`);
  if (!SECONDS.test(minPause) || !SECONDS.test(maxPause) || more.length > 0 || Number(maxPause) < Number(minPause))
    throw new Error(`--pause is ${pause}; it must be two numbers of seconds, as in 10-30.`);
  const milliseconds = (seconds: string) => Math.round(1_000 * Number(seconds));
  return { seed, times: [minPause, maxPause, stop].map(milliseconds) };
}

async function main(): Promise<number> {
  const { seed, times } = options();
  console.log(`seed ${seed}`);
  const run = `stalls-${process.pid}`;
  const args = [STOP_AND_GO, run, seed, ...times.map(String)];
  const stopping = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let counts = '';
  stopping.stdout.setEncoding('utf8').on('data', (text: string) => {
    counts += text;
  });
  atTheEnd(() => endRun(run));
  const { isGreen, summary } = await runMarked(commandOf(values.command, positionals), run);
  const stops = counts.split('\n').filter(Boolean).map(Number);
  const max = Math.max(0, ...stops);
  console.log(`${stops.length} stops of up to ${max} processes, seed ${seed}: ${summary}`);
  return isGreen ? 0 : 1;
}

if (values.help) console.log(HELP);
else
  process.exit(
    await main().catch((error: Error) => {
      console.error(error.message);
      return 2;
    }),
  );
