/** `npm run busy -w packages/lab`: runs the tests while other processes keep all cores busy. */
import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { readArguments, readOrExit } from '../../../bin/flags.ts';
import { atTheEnd, commandOf, endRun, runMarked } from './run.ts';

const HELP = `Usage: npm run busy -w packages/lab -- [options] [-- arguments of npm test]

Runs npm test several times while one process per core keeps the machine busy. Prints for each run
whether it passed, how long it took, and its processor time. Exits with 1 if a run failed.

  --runs N             number of runs (default: 3)
  --command PROGRAM    program to run with the arguments, instead of npm test
  --help               print this help
`;

const SPIN = 'test/support/spin.ts';

const startSpinning = (): ChildProcess[] =>
  Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, [SPIN, String(process.pid)], { stdio: 'ignore' }),
  );

const options = {
  runs: { type: 'string', default: '3' },
  command: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;
const { values, positionals } = readOrExit(() => readArguments('busy -w packages/lab', options, process.argv.slice(2)));

async function main(): Promise<number> {
  if (!/^[1-9]\d{0,3}$/.test(values.runs)) {
    console.error(`--runs is ${values.runs}; it must be a whole number from 1 to 9999.`);
    return 2;
  }
  const runs = Number(values.runs);
  const command = commandOf(values.command, positionals);
  const run = `busy-${process.pid}`;
  const spinning = startSpinning();
  atTheEnd(() => {
    for (const child of spinning) child.kill('SIGKILL');
    endRun(run);
  });
  const lines: string[] = [];
  let reds = 0;
  for (let n = 1; n <= runs; n += 1) {
    const { isGreen, summary } = await runMarked(command, run);
    if (!isGreen) reds += 1;
    lines.push(`run ${n} of ${runs}, ${spinning.length} cores busy: ${summary}`);
    console.log(lines.at(-1));
  }
  if (runs > 1) console.log(['', ...lines].join('\n'));
  return reds > 0 ? 1 : 0;
}

if (values.help) console.log(HELP);
else process.exit(await main());
