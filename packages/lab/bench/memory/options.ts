import { numberFrom, readFlags } from '../command.ts';

export const HELP = `Usage: npm run bench -w packages/lab -- memory [options]

Starts the service as \`npm start\` does and runs jobs of five kinds from 8 clients: /run with polls, /runsync, /cancel,
/stream, and webhooks. Prints the memory of each part of the service when it is idle and ten times during the jobs, the
heap of the service after a forced garbage collection, its open files, and the size of the state folder. Fails if the
service or an agent uses more memory than its bound, or if the heap or the state folder grows faster than its bound.
Needs Linux.

  --jobs N    number of jobs (default: 20000)
  --record    write the table of docs/explanation/laptop-performance.md
  --help      print this help
`;

export interface Options {
  readonly help: boolean;
  readonly jobs: number;
  /** Whether to write the table of the document. */
  readonly record: boolean;
}

const flags = {
  jobs: { type: 'string', default: '20000' },
  record: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** @throws Error for an unknown flag, or a number out of its range */
export function readOptions(args: readonly string[]): Options {
  const { help, jobs, record } = readFlags('bench -w packages/lab -- memory', flags, args);
  return { help, jobs: numberFrom('jobs', jobs, 1_000_000), record };
}
