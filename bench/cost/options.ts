import { contextOption } from '../../bin/synthesized/context.ts';
import { DEFAULT_REGION } from '../../lib/prices/prices.ts';
import { readFlags } from '../command.ts';

export const HELP = `Usage: npm run cost -- [options]

Prints what the synthesized stacks cost: a month in which nothing runs, an hour of a worker of each endpoint, and a
million jobs, by the calls that \`npm run bench:calls\` has counted. Needs no AWS account. Exits with 1 if something
is not priced: the sums lack it then.

  --app DIR        price the synthesized stacks in DIR, such as cdk.out, instead of synthesizing them
  -c, --context NAME=VALUE
                   a setting of the stacks, as for cdk: -c environment=NAME; may be repeated
  --region REGION  prices of this region                                           (default: ${DEFAULT_REGION})
  --json           print JSON and nothing else
  --record         write the standing costs into docs/costs.md, too
  --help           print this

Prices, each with its day and source: lib/prices.
`;

export interface Options {
  readonly app?: string;
  /** Words of the form `name=value`. */
  readonly context?: readonly string[];
  readonly region: string;
  readonly json: boolean;
  readonly record: boolean;
  readonly help: boolean;
}

const flags = {
  ...contextOption,
  app: { type: 'string' },
  region: { type: 'string', default: DEFAULT_REGION },
  json: { type: 'boolean', default: false },
  record: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** @throws Error for an unknown flag */
export function readOptions(args: readonly string[]): Options {
  return readFlags('cost', flags, args);
}
