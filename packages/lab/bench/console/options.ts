import { numberFrom, readFlags } from '../command.ts';

export const HELP = `Usage: npm run bench -w packages/lab -- console [options]

Starts the service as \`npm start\` does and opens the pages of its console in Debian's Chromium. For each page,
prints its largest contentful paint without a cache, and how long its scripts block it during its load and ten
refreshes. For each long list, prints the time between two frames during a scroll. Each figure is the median of
several runs. Fails if the paint of a page takes more than 2 s, if a page is blocked for more than 500 ms, or if a
list takes more than 33 ms for a frame at the 95th percentile or more than 100 ms for its longest.

  --runs N   number of runs (default: 5)
  --help     print this help
`;

export interface Options {
  readonly help: boolean;
  readonly runs: number;
}

const flags = {
  runs: { type: 'string', default: '5' },
  help: { type: 'boolean', default: false },
} as const;

/** @throws Error for an unknown flag, or a number out of its range */
export function readOptions(args: readonly string[]): Options {
  const { help, runs } = readFlags('bench -w packages/lab -- console', flags, args);
  return { help, runs: numberFrom('runs', runs, 99) };
}
