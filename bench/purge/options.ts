import { numberFrom, readFlags } from '../command.ts';

export const HELP = `Usage: npm run bench:purge -- [options]

Starts the service as \`npm start\` does, keeps its workers busy, queues jobs, purges the queue, and measures what a
client sees of it: when the purge answers, how many jobs it says it removed, what \`/health\` says then, and when a job
that is submitted right after it starts. Fails if a bound is missed. 100,000 jobs take some minutes to queue.

  --jobs N   how many jobs to queue (default: 100000)
  --help     print this

The jobs are stored by the service's own code in this process, because \`/run\` takes 100 jobs a second, and fewer
than 500 for each worker. Everything else is HTTP.
`;

export interface Options {
  readonly help: boolean;
  readonly jobs: number;
}

const flags = { jobs: { type: 'string', default: '100000' }, help: { type: 'boolean', default: false } } as const;

/** @throws Error for an unknown flag, or a number out of its bounds */
export function readOptions(args: readonly string[]): Options {
  const { help, jobs } = readFlags('bench:purge', flags, args);
  return { help, jobs: numberFrom('jobs', jobs, 9_999_999) };
}
