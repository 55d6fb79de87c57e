import { numberFrom, readFlags } from '../command.ts';

export const HELP = `Usage: npm run bench -w packages/lab -- purge [options]

Starts the service as \`npm start\` does, keeps its workers busy, queues jobs and purges the queue. Measures what a
client sees: how long the purge takes, how many jobs it reports as removed, what \`/health\` returns then, and when
a job that is submitted right afterwards starts. Fails if a bound is missed. It takes some minutes to queue 100,000
jobs.

  --jobs N   number of jobs to queue (default: 100000)
  --help     print this help

The jobs are stored with the service's own code in this process, because \`/run\` accepts 100 jobs a second, and
fewer than 500 for each worker. All other requests use HTTP.
`;

export interface Options {
  readonly help: boolean;
  readonly jobs: number;
}

const flags = { jobs: { type: 'string', default: '100000' }, help: { type: 'boolean', default: false } } as const;

/** @throws Error for an unknown flag, or a number out of its range */
export function readOptions(args: readonly string[]): Options {
  const { help, jobs } = readFlags('bench -w packages/lab -- purge', flags, args);
  return { help, jobs: numberFrom('jobs', jobs, 9_999_999) };
}
