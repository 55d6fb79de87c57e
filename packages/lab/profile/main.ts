/** `npm run profile -w packages/lab`: runs the tests and prints where the processor time went. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTimeline, TIMELINE } from '../../../test/runner/timeline.ts';
import { secondsOfEnded, watchProcesses } from './processes.ts';
import { type Sample, sumsOf } from './sums.ts';

const HELP = `Usage: npm run profile -w packages/lab -- [arguments of npm test]

Runs npm test with these arguments and prints the processor time that it took: by kind of process, by phase, by room, and
for the files that took most. Needs Linux. Exits with the exit code of npm test.

  --help       print this
`;

/** Milliseconds between two readings. Processes that exit between two readings are in the total, but in no row. */
const PERIOD = 250;
const FILES = 25;
const MARK = 'TEST_PROFILE';

function table(title: string, sums: ReadonlyMap<string, number>, rows = Number.POSITIVE_INFINITY): string {
  const total = [...sums.values()].reduce((sum, seconds) => sum + seconds, 0);
  const sorted = [...sums].sort(([, one], [, other]) => other - one).slice(0, rows);
  const line = ([name, seconds]: readonly [string, number]) =>
    `${seconds.toFixed(1).padStart(8)} s ${((100 * seconds) / total).toFixed(0).padStart(3)} %  ${name}`;
  return [`\n${title}`, ...sorted.map(line)].join('\n');
}

async function profile(args: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-profile-'));
  const log = join(folder, 'timeline.jsonl');
  const mark = String(process.pid);
  const begin = performance.now();
  const env = { ...process.env, [TIMELINE]: log, [MARK]: mark };
  const run = spawn('npm', ['test', '--', ...args], { stdio: 'inherit', env });
  const look = watchProcesses(`${MARK}=${mark}`);
  const samples: Sample[] = [];
  const timer = setInterval(() => samples.push({ at: Date.now(), uses: look() }), PERIOD);
  const [code] = (await once(run, 'exit')) as [number | null];
  clearInterval(timer);
  const wall = (performance.now() - begin) / 1_000;
  const sums = sumsOf(samples, readTimeline(log));
  rmSync(folder, { recursive: true, force: true });
  const seen = [...sums.byKind.values()].reduce((sum, seconds) => sum + seconds, 0);
  const total = Math.max(secondsOfEnded(), seen);
  console.log(
    [
      table('Processor time by kind of process', sums.byKind),
      table('by phase of the test files', sums.byPhase),
      table('by room', sums.byRoom),
      table(`by file, with all processes that it started; the first ${FILES}`, sums.byFile, FILES),
      `\n${wall.toFixed(1)} s, ${total.toFixed(1)} s of processor time, ${(total - seen).toFixed(1)} s of it in short-lived processes without a row`,
    ].join('\n'),
  );
  return code ?? 1;
}

const args = process.argv.slice(2);
if (args.includes('--help')) console.log(HELP);
else process.exitCode = await profile(args);
