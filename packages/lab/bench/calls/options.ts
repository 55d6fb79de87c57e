import { readFlags } from '../command.ts';
import { scenarios } from './scenarios.ts';

export const HELP = `Usage: npm run bench -w packages/lab -- calls [options]

Starts the service as \`npm start\` does, runs jobs over HTTP and prints every AWS call that they make, with request
units and dollars. Takes about four minutes.

  --check          compare with bin/job-calls/recorded.json; fail if a scenario has grown (about a minute)
  --only NAMES     measure only these scenarios, such as first,run; with --record, keep the rest of the record
  --record         write bin/job-calls/recorded.json and the tables of docs/reference/calls.md
  --assembly DIR   run the synthesized stacks in DIR instead of synthesizing them
  --help           print this help

The command counts calls and measures no times. Prices are in lib/prices.
`;

export interface Options {
  readonly mode: 'print' | 'check' | 'record' | 'help';
  /** A synthesized assembly to run unchanged. */
  readonly assembly?: string;
  /**
   * Names of the scenarios to measure.
   * @default - all
   */
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
  throw new Error(
    `There is no scenario '${unknown}'; the scenarios are ${scenarios.map(({ name }) => name).join(', ')}.`,
  );
}

/** @throws Error for an unknown flag, flags that exclude each other, or an unknown scenario */
export function readOptions(args: readonly string[]): Options {
  const { check, record, assembly, only, help } = readFlags('bench -w packages/lab -- calls', flags, args);
  if (check && record) throw new Error('--check and --record exclude each other: use only one of them.');
  const mode = help ? 'help' : check ? 'check' : record ? 'record' : 'print';
  return { mode, ...(assembly !== undefined && { assembly }), ...(only !== undefined && { only: namesIn(only) }) };
}
