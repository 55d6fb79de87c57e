import { parseArgs } from 'node:util';

export const HELP = `Usage: npm run bench:ledger -- [options]

Starts the service as \`npm start\` does, drives jobs through it by HTTP and prints every AWS call that they cost, with
units and dollars. Takes about four minutes.

  --check          compare with bench/ledger/recorded.json; fails if a scenario has grown. Takes about a minute
  --record         write bench/ledger/recorded.json and the tables of docs/performance.md
  --assembly DIR   run the synthesized stacks in DIR instead of synthesizing them
  --help           print this

Calls are counted, times are not measured. Prices: bench/prices.
`;

export interface Options {
  readonly mode: 'print' | 'check' | 'record' | 'help';
  /** A synthesized assembly to run as it is. */
  readonly assembly?: string;
}

const flags = {
  check: { type: 'boolean', default: false },
  record: { type: 'boolean', default: false },
  assembly: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags }).values;
  } catch (error) {
    const [sentence] = (error as Error).message.split('. ');
    throw new Error(`${sentence}; npm run bench:ledger -- --help lists what there is.`);
  }
}

/** @throws for a flag that is not known, or flags that exclude each other */
export function readOptions(args: readonly string[]): Options {
  const { check, record, assembly, help } = parse(args);
  if (check && record) throw new Error('Either --check or --record: a record that is written has nothing to fail on.');
  const mode = help ? 'help' : check ? 'check' : record ? 'record' : 'print';
  return { mode, ...(assembly !== undefined && { assembly }) };
}
