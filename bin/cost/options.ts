import { DEFAULT_REGION } from '../../lib/prices/prices.ts';
import { contextOption } from '../assembly/context.ts';
import { readFlags } from '../flags.ts';

export const HELP = `Usage: npm run cost -- [options]

Prints what the synthesized stacks cost: a month in which nothing runs, an hour of a worker of each endpoint, and a
million jobs, based on the calls that \`npm run bench -w packages/lab -- calls\` counted. Needs no AWS account. Exits
with 1 if a resource has no price, because the sums are then incomplete.

  --app DIR        price the synthesized stacks in DIR, such as cdk.out, instead of synthesizing them
  -c, --context NAME=VALUE
                   a setting of the stacks as for cdk, such as -c environment=NAME; repeatable
  --region REGION  Region of the prices                                           (default: ${DEFAULT_REGION})
  --json           print only JSON
  --record         also write the standing costs to docs/reference/costs.md
  --help           print this help

The prices are in lib/prices, each with its day and source.

Examples:
  npm run cost
  npm run cost -- -c environment=prod --json
`;

export interface Options {
  readonly app?: string;
  /** Settings of the form `name=value`. */
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
