import { readFlags } from '../command.ts';
import { scenarios } from './scenarios.ts';

export const HELP = `Usage: npm run bench:calls -- [options]

Starts the service as \`npm start\` does, drives jobs through it by HTTP and prints every AWS call that they cost, with
units and dollars. Takes about four minutes.

  --check          compare with bench/calls/recorded.json; fails if a scenario has grown. Takes about a minute
  --only NAMES     with --check: these scenarios alone, such as first,run
  --record         write bench/calls/recorded.json and the tables of docs/performance.md
  --assembly DIR   run the synthesized stacks in DIR instead of synthesizing them
  --help           print this

Calls are counted, times are not measured. Prices: lib/prices.
`;

export interface Options {
  readonly mode: 'print' | 'check' | 'record' | 'help';
  /** A synthesized assembly to run as it is. */
  readonly assembly?: string;
  /** Names of the scenarios to measure; all by default. */
  readonly only?: readonly string[];
}

const flags = {
  check: { type: 'boolean', default: false },
  only: { type: 'string' },
  record: { type: 'boolean', default: false },
  assembly: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

function namesIn(only: string): readonly string[] {
  const names = only.split(',');
  const unknown = names.find((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown === undefined) return names;
  throw new Error(`There is no scenario '${unknown}': ${scenarios.map(({ name }) => name).join(', ')}.`);
}

/** @throws Error for an unknown flag, flags that exclude each other, or an unknown scenario */
export function readOptions(args: readonly string[]): Options {
  const { check, record, assembly, only, help } = readFlags('bench:calls', flags, args);
  if (check && record) throw new Error('Either --check or --record: with --record nothing is compared.');
  if (only !== undefined && !check)
    throw new Error('--only goes with --check: the tables and the record need all scenarios.');
  const mode = help ? 'help' : check ? 'check' : record ? 'record' : 'print';
  return { mode, ...(assembly !== undefined && { assembly }), ...(only !== undefined && { only: namesIn(only) }) };
}
