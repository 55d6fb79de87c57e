import { numberFrom, readFlags } from '../command.ts';

export const HELP = `Usage: npm run bench -w packages/lab -- cold [options]

Imports each function in a new process of Node.js, as a cold start of Lambda does: the bundle that is deployed, with
the environment of the template. Prints the median time and the size for each function, and fails if a function needs
more than the bound.

  --runs N         number of imports of each function    (default: 5)
  --assembly DIR   import the functions of the synthesized stacks in DIR instead of synthesizing them
  --help           print this help

The bound is for processor time, which depends less on other load of the machine than the duration.
`;

export interface Options {
  readonly runs: number;
  readonly assembly?: string;
  readonly help: boolean;
}

const flags = {
  runs: { type: 'string', default: '5' },
  assembly: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

/** @throws Error for an unknown flag, or a number out of its range */
export function readOptions(args: readonly string[]): Options {
  const { runs, ...rest } = readFlags('bench -w packages/lab -- cold', flags, args);
  return { runs: numberFrom('runs', runs, 1_000), ...rest };
}
