import { numberFrom, readFlags } from '../command.ts';

const [MAX_JOBS, MAX_ENDPOINTS] = [1_000_000, 500];

export const HELP = `Usage: npm run bench -w packages/lab -- growth [options]

Measures the operations of jobs with 100, 1,000, 10,000 ... waiting jobs in one endpoint, and with 1, 5, 20, 100 and
500 endpoints: AWS calls, request units and milliseconds. Fits exponents to the sizes, and fails if calls or units
grow with an exponent of more than 0.05 without a stated reason. Takes about five minutes.

  --jobs N        most waiting jobs, 1000 to ${MAX_JOBS}   (default: ${MAX_JOBS})
  --endpoints N   most endpoints, 5 to ${MAX_ENDPOINTS}             (default: ${MAX_ENDPOINTS})
  --record        also write packages/lab/bench/growth/recorded.json, the plots, and the table in
                  docs/explanation/performance.md
  --help          print this help

It runs the service's own use-cases and adapters over the emulators, and prepares the tables directly: to queue a
million jobs one by one would take hours. The queue consists of copies of an accepted job, which the service's own
ledger counts. A simulated clock moves by a minute before each operation, so that no process has anything in its
caches. Each value is the median of five runs.
`;

export interface Options {
  readonly help: boolean;
  readonly record: boolean;
  /** The numbers of waiting jobs and of endpoints, in ascending order. */
  readonly jobs: readonly number[];
  readonly endpoints: readonly number[];
}

const flags = {
  jobs: { type: 'string', default: String(MAX_JOBS) },
  endpoints: { type: 'string', default: String(MAX_ENDPOINTS) },
  record: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const JOBS = [100, 1_000, 10_000, 100_000, MAX_JOBS];
const ENDPOINTS = [1, 5, 20, 100, MAX_ENDPOINTS];

/** Returns the usual sizes below the largest size, and the largest size. */
const upTo = (max: number, usual: readonly number[]) => [...usual.filter((size) => size < max), max];

/** @throws Error for an unknown flag, or a number out of its range */
export function readOptions(args: readonly string[]): Options {
  const { help, record, jobs, endpoints } = readFlags('bench -w packages/lab -- growth', flags, args);
  return {
    help,
    record,
    jobs: upTo(numberFrom('jobs', jobs, MAX_JOBS, JOBS[1]), JOBS),
    endpoints: upTo(numberFrom('endpoints', endpoints, MAX_ENDPOINTS, ENDPOINTS[1]), ENDPOINTS),
  };
}
