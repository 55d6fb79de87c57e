/** `npm run keys`: creates, lists and revokes client keys, of a deployment or of `npm start`. */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { systemClock } from '../core/clock.ts';
import { createKey, idOf, type KeyRecord, type Keys, revokeKey } from '../core/keys/client-keys.ts';
import { MINUTE, SECOND } from '../core/limits.ts';
import { keyOperations, templateScopes } from '../core/operations/routes.ts';
import { type DeploymentOptions, deploymentOptions, useTable } from './deployment-outputs.ts';
import { grantFrom, UsageError } from './key-arguments.ts';
import { runVerb } from './verbs.ts';

/** Maximum characters of a line in the second column of the help. */
const LINE = 80;

/** Returns names with commas, in lines of the help's second column. */
function inLines(names: readonly string[]): string {
  const lines: string[] = [];
  for (const name of names) {
    const line = `${lines.at(-1)}, ${name}`;
    if (lines.length > 0 && line.length <= LINE) lines[lines.length - 1] = line;
    else lines.push(name);
  }
  return lines.join(',\n                     ');
}

const HELP = `Usage: npm run keys -- create --name NAME [options]
       npm run keys -- list [options]
       npm run keys -- revoke ID [options]

Creates, lists and revokes the keys of clients.

create adds a client key and prints its secret once: the service stores only its hash. list shows all keys
without their secrets. revoke removes the key whose id is ID or begins with ID. The key is refused after at most
${MINUTE / SECOND} seconds, because functions and API Gateway cache keys and decisions for less than that time.

Options of create:
  --name NAME        what the key is for
  --owner OWNER      owner of the key                                   (default: the name)
  --endpoints A,B    ids of endpoints that the key may call             (default: * for all)
  --operations A,B   ${inLines(keyOperations)}
                                                                        (default: * for all)
  --scopes A,B       ${templateScopes.join(', ')}
                                                                        (default: none)
  --expires WHEN     30d, 12h, 2030-01-31 or 2030-01-31T12:00Z: when the key expires   (default: never)

Options of all commands:
  --local            use the keys of \`npm start\`, while it runs
  --table TABLE      the keys table                (default: KeysTable of the outputs file)
  --outputs FILE     the file that \`cdk deploy --outputs-file FILE\` wrote   (default: outputs.json)
  --deployment NAME  the deployment, if the outputs file has several
  --json             print only JSON
  --help             print this help

Examples:
  npm run keys -- create --name laptop --local
  npm run keys -- create --name ci --endpoints echo --operations run,status --expires 30d
  npm run keys -- revoke 0a1b2c3d4e5f
`;

const common = { ...deploymentOptions, json: { type: 'boolean', default: false } } as const;

/** Loads the AWS SDK only when it is needed, because it loads slowly. Usage errors and the help do not need it. */
async function keysOf(options: DeploymentOptions): Promise<Keys> {
  // `useTable` sets the environment from which the SDK's clients read their settings.
  const table = useTable(options, 'KeysTable');
  const [{ createDocumentClient }, { createKeys }] = await Promise.all([
    import('../aws/clients.ts'),
    import('../aws/keys/keys.ts'),
  ]);
  return createKeys(createDocumentClient(), table, systemClock);
}

async function create(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      name: { type: 'string' },
      owner: { type: 'string' },
      endpoints: { type: 'string', default: '*' },
      operations: { type: 'string', default: '*' },
      scopes: { type: 'string' },
      expires: { type: 'string' },
      ...common,
    },
  });
  // The expiry is relative to the creation time, so both use the same time.
  const now = systemClock.now();
  const clock = { ...systemClock, now: () => now };
  const grant = grantFrom(values, now);
  const { secret } = await createKey({ clock, keys: await keysOf(values) }, grant, randomBytes(64));
  console.log(values.json ? JSON.stringify({ secret }) : `${secret}\nThis secret is shown only once. Store it safely.`);
}

const day = (time: number | undefined) => (time === undefined ? 'never' : new Date(time).toISOString());

/** Returns the fields of a key that the list shows: no hash, and no secret, because secrets are not stored. */
function shownOf(key: KeyRecord) {
  const { name, owner, endpoints, operations: calls, scopes, createdAt, expiresAt } = key;
  return { id: idOf(key), name, owner, endpoints, operations: calls, scopes, createdAt, expiresAt };
}

const lineOf = (key: KeyRecord) =>
  [
    `${idOf(key)}  ${key.name}, of ${key.owner}`,
    `endpoints ${key.endpoints.join(',')}; operations ${key.operations.join(',')}; scopes ${key.scopes.join(',') || 'none'}`,
    `created ${day(key.createdAt)}; expires ${day(key.expiresAt)}`,
  ].join('\n              ');

async function list(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: common });
  const records = await (await keysOf(values)).list();
  console.log(values.json ? JSON.stringify(records.map(shownOf)) : records.map(lineOf).join('\n') || 'No keys.');
}

async function revoke(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: common, allowPositionals: true });
  const [id, ...others] = positionals;
  if (!id || others.length > 0) throw new UsageError('revoke takes the id of one key.');
  const key = await revokeKey({ keys: await keysOf(values) }, id);
  const sentence = `Revoked ${idOf(key)} (${key.name}, of ${key.owner}). It may be accepted for another ${MINUTE / SECOND} seconds.`;
  console.log(values.json ? JSON.stringify({ revoked: idOf(key) }) : sentence);
}

const verbs = new Map([
  ['create', create],
  ['list', list],
  ['revoke', revoke],
]);

await runVerb(verbs, HELP, process.argv.slice(2));
