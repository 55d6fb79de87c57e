/** `npm run keys`: makes client keys, for a deployed stack or the local one. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createDocumentClient } from '../aws/clients.ts';
import { createKeys } from '../aws/keys.ts';
import { systemClock } from '../core/clock.ts';
import { createKey } from '../core/keys/create.ts';
import { DAY } from '../core/limits.ts';
import { operations } from '../core/routes.ts';

const HELP = `Usage: npm run keys -- create --name NAME [options]

Makes a client key and prints its secret, once: only a hash of it is stored.

  --name NAME          what the key is for
  --owner OWNER        who it belongs to                            (default: the name)
  --endpoints A,B      endpoint ids that it may call                (default: * for all)
  --operations A,B     ${operations.join(', ')}        (default: * for all)
  --expires-in-days N  refused after that many days                 (default: never)
  --table TABLE        the keys table          (default: Platform.KeysTable of the outputs file)
  --outputs FILE       what \`cdk deploy --outputs-file FILE\` wrote  (default: outputs.json)
  --json               print {"secret": "..."} and nothing else
`;

class UsageError extends Error {}

function tableFrom(outputsFile: string): string {
  if (!existsSync(outputsFile))
    throw new UsageError(`There is no ${outputsFile}: deploy with --outputs-file ${outputsFile}, or say --table.`);
  const outputs = JSON.parse(readFileSync(outputsFile, 'utf8')) as { Platform?: { KeysTable?: string } };
  const table = outputs.Platform?.KeysTable;
  if (!table)
    throw new UsageError(`${outputsFile} has no Platform.KeysTable: deploy with --outputs-file ${outputsFile}.`);
  return table;
}

function days(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new UsageError(`--expires-in-days must be a whole number from 1, got ${text}.`);
  return count * DAY;
}

function operationList(text: string): string[] {
  const wanted = text.split(',');
  const unknown = wanted.find((name) => name !== '*' && !operations.some((operation) => operation === name));
  if (unknown !== undefined)
    throw new UsageError(`--operations takes ${operations.join(', ')} or *, got ${JSON.stringify(unknown)}.`);
  return wanted;
}

async function create(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      name: { type: 'string' },
      owner: { type: 'string' },
      endpoints: { type: 'string', default: '*' },
      operations: { type: 'string', default: '*' },
      'expires-in-days': { type: 'string' },
      table: { type: 'string' },
      outputs: { type: 'string', default: 'outputs.json' },
      json: { type: 'boolean', default: false },
    },
  });
  if (!values.name) throw new UsageError('--name is missing: say what the key is for.');
  const lifetime = values['expires-in-days'] && days(values['expires-in-days']);
  const grant = {
    name: values.name,
    owner: values.owner ?? values.name,
    endpoints: values.endpoints.split(','),
    operations: operationList(values.operations),
    ...(lifetime && { expiresAt: systemClock.now() + lifetime }),
  };
  const keys = createKeys(createDocumentClient(), values.table ?? tableFrom(values.outputs), systemClock);
  const { secret } = await createKey({ clock: systemClock, keys }, grant, randomBytes(64));
  console.log(values.json ? JSON.stringify({ secret }) : `${secret}\nThis secret is shown once. Keep it safe.`);
}

const [command, ...args] = process.argv.slice(2);
if (command === 'create' && !args.includes('--help')) {
  await create(args).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
} else {
  console.log(HELP);
  process.exitCode = command === undefined || args.includes('--help') || command === '--help' ? 0 : 1;
}
