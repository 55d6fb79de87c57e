/** Describes `gpu-endpoints verify`. The tests are loaded when it runs. */
import { type Command, Option } from 'commander';
import { type CommonOptions, serviceOf, withProfile } from '../client/options.ts';
import { addressOf } from '../client/service.ts';
import { withExample } from '../example.ts';
import { type Target, variables } from './target.ts';

interface Options extends CommonOptions {
  readonly url?: string;
  readonly managementUrl?: string;
  readonly endpoint: string;
  readonly only?: readonly string[];
  readonly list?: boolean;
}

const NOTES = `The endpoint must run examples/echo with at most 3 workers, and have no other jobs. The tests take about four minutes.
They submit jobs, create templates, which they delete, and exceed rate limits, with the keys in these variables:

  GPU_ENDPOINTS_KEY          with --url: a key with all operations and the scopes templates:read, templates:write and
                             templates:secrets, which the key of a profile also needs
  GPU_ENDPOINTS_LIMITED_KEY  a key for only the operation health; without it, three tests do not run
  GPU_ENDPOINTS_OTHER_KEY    a key of another owner with the scopes templates:read and templates:write; without it,
                             three tests do not run

Rows about the console are not checked, because they need a browser. Webhooks are checked only on this machine.

Exit codes: 0 all checked rows hold, 1 a row does not hold, 2 the rows cannot be checked, 130 Ctrl-C`;

function targetFrom({ url, managementUrl, endpoint, ...options }: Options): Target {
  const { [variables.key]: key = '', [variables.limitedKey]: limitedKey, [variables.otherKey]: otherKey } = process.env;
  const service = url === undefined ? serviceOf(options) : { url: addressOf(url), key };
  return {
    serverlessUrl: `${service.url}/v2`,
    baseUrl: managementUrl === undefined ? `${service.url}/v1` : `${addressOf(managementUrl)}/v1`,
    key: service.key,
    // An empty variable is not set.
    limitedKey: limitedKey || undefined,
    otherKey: otherKey || undefined,
    endpoint,
  };
}

export function addVerify(program: Command): void {
  const command = withProfile(
    program
      .command('verify')
      .description('run the rows of the contract against a deployment, and print which do not hold'),
  )
    .option('--url <url>', 'address of the deployment, instead of a profile (the output JobApiUrl)')
    .option('--management-url <url>', 'address of the management interface, if it is another one')
    .option('--endpoint <id>', 'endpoint whose jobs the tests submit', 'echo')
    .option('--only <ids...>', 'check only these rows; `*` stands for any characters, as in limits.*')
    .addOption(new Option('--list', 'print the ids of the rows with what they say, and check none').conflicts('json'))
    .option('--json', 'print only JSON: the rows with their tests, as docs/reference/verify.schema.json describes');
  withExample(command, 'verify --url http://127.0.0.1:3000', NOTES).action(async (options: Options) => {
    const { listRows, verify } = await import('./verify.ts');
    if (options.list) return listRows(options.only);
    process.exitCode = await verify(targetFrom(options), options);
  });
}
