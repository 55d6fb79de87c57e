import { numberFrom, readFlags } from '../command.ts';

export const HELP = `Usage: npm run bench -w packages/lab -- cpu [options]

Starts the service as \`npm start\` does, runs jobs that do nothing, and prints the processor time of a job by part,
from /proc of Linux. Prints the rate of jobs, the latencies of clients and the start time too. The client runs in
another process, which is not counted. Fails if a bound is missed.
With --against, compares the load and /runsync with another checkout instead: runs both benchmarks in turn, and divides
each figure by the time of DynamoDB's emulator in the same run, because the speed of a machine changes.

  --jobs N      number of jobs of a load, after the first 500 jobs (default: 2000)
  --loads N     number of loads, whose medians are the figures (default: 3)
  --clients N   number of clients that submit at the same time (default: 8)
  --only PARTS  load, runsync, pickup or start; several with commas (default: all)
  --rate N      jobs per second of the pick-up (default: half of the measured rate, or 60 without the load)
  --seed N      seed of the arrival times of the pick-up (default: a random one, which is printed)
  --starts N    number of first starts and of second starts (default: 3)
  --against DIR compare with the checkout in DIR, whose dependencies are installed
  --rounds N    number of runs of each checkout (default: 5)
  --profile     run the load again with CPU profiles, and print the time by folder and by function
  --out DIR     keep the .cpuprofile files of --profile in DIR
  --record      write the tables with bounds into docs/explanation/laptop-performance.md
  --help        print this help
`;

const PARTS = ['load', 'runsync', 'pickup', 'start'] as const;
export type Part = (typeof PARTS)[number];

export interface Options {
  readonly help: boolean;
  readonly jobs: number;
  readonly loads: number;
  readonly clients: number;
  readonly only: readonly Part[];
  readonly rate: number | undefined;
  readonly seed: number | undefined;
  readonly starts: number;
  readonly against: string | undefined;
  readonly rounds: number;
  readonly profile: boolean;
  readonly out: string | undefined;
  readonly record: boolean;
}

const flags = {
  jobs: { type: 'string', default: '2000' },
  loads: { type: 'string', default: '3' },
  clients: { type: 'string', default: '8' },
  only: { type: 'string', default: PARTS.join(',') },
  rate: { type: 'string' },
  seed: { type: 'string' },
  starts: { type: 'string', default: '3' },
  against: { type: 'string' },
  rounds: { type: 'string', default: '5' },
  profile: { type: 'boolean', default: false },
  out: { type: 'string' },
  record: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

function partFrom(text: string): Part {
  const part = PARTS.find((name) => name === text);
  if (part) return part;
  throw new Error(`--only must be one of ${PARTS.join(', ')}, or several of them with commas, got ${text}.`);
}

const optional = (flag: string, text: string | undefined, max: number) =>
  text === undefined ? undefined : numberFrom(flag, text, max);

/** @throws Error for an unknown option, a value out of its range, or options that exclude each other */
export function readOptions(args: readonly string[]): Options {
  const { help, jobs, loads, clients, only, rate, seed, starts, against, rounds, profile, out, record } = readFlags(
    'bench -w packages/lab -- cpu',
    flags,
    args,
  );
  const parts = only.split(',').map(partFrom);
  const hasLoad = parts.includes('load');
  if (profile && !hasLoad) throw new Error('--profile repeats the load, so --only must include load.');
  if (out !== undefined && !profile) throw new Error('--out keeps the files of --profile, so it needs --profile.');
  if (record && parts.length < PARTS.length) throw new Error('--record writes all figures, so it excludes --only.');
  if (against !== undefined && (profile || record || parts.length < PARTS.length))
    throw new Error(
      '--against prints ratios of the load and of /runsync, so it excludes --only, --profile and --record.',
    );
  return {
    help,
    jobs: numberFrom('jobs', jobs, 100_000),
    loads: numberFrom('loads', loads, 99),
    clients: numberFrom('clients', clients, 200),
    only: parts,
    rate: optional('rate', rate, 1_000),
    seed: optional('seed', seed, 9_999_999),
    starts: numberFrom('starts', starts, 20),
    against,
    rounds: numberFrom('rounds', rounds, 99),
    profile,
    out,
    record,
  };
}
