/** `gpu-endpoints keys`: creates, lists, changes and revokes client keys, of a deployment or of `dev`. */
import { randomBytes } from 'node:crypto';
import { type Command, Help, InvalidArgumentError } from 'commander';
import { systemClock } from '../../core/clock.ts';
import { budgetLimits } from '../../core/endpoints/spending.ts';
import { changeBudget, createKey, type Keys, revokeKey } from '../../core/keys/client-keys.ts';
import { MINUTE, SECOND } from '../../core/limits.ts';
import { type KeySummary, keySummary, listKeys } from '../../core/management/keys.ts';
import { keyOperations, templateScopes } from '../../core/operations/routes.ts';
import { clientOperations, needsTable } from '../client/permissions.ts';
import { duration, printJson, printTable } from '../client/print.ts';
import { withExample } from '../example.ts';
import { type GrantOptions, grantFrom } from './key-grant.ts';
import { assertHistory, missingEndpoints, unpricedEndpoints } from './key-warnings.ts';
import { chosenBy, type DeploymentFlags, deploymentCommand, withTable } from './options.ts';
import { useTable } from './outputs.ts';

/** Loads the AWS SDK only when it is needed, because it loads slowly. Usage errors and the help do not need it. */
async function keysOf(flags: DeploymentFlags): Promise<Keys> {
  // `useTable` sets the environment from which the SDK's clients read their settings.
  const table = useTable(await chosenBy(flags), 'KeysTable');
  const [{ createDocumentClient }, { createKeys }] = await Promise.all([
    import('../../aws/clients.ts'),
    import('../../aws/keys/keys.ts'),
  ]);
  return createKeys(createDocumentClient(), table, systemClock);
}

async function warnOfPrices(flags: DeploymentFlags, { maxDollarsPerDay, endpoints }: KeySummary): Promise<void> {
  const ids = maxDollarsPerDay === undefined ? [] : await unpricedEndpoints(flags, endpoints);
  if (ids.length > 0)
    console.error(
      `The price of the workers of ${ids.join(', ')} is unknown, so their time does not count in the budget of the key.`,
    );
}

async function create(flags: DeploymentFlags & GrantOptions): Promise<void> {
  // The expiry is relative to the creation time, so both use the same time.
  const now = systemClock.now();
  const clock = { ...systemClock, now: () => now };
  const grant = grantFrom(flags, now);
  if (grant.maxDollarsPerDay !== undefined) await assertHistory(flags);
  const { secret, key } = await createKey({ clock, keys: await keysOf(flags) }, grant, randomBytes(64));
  const summary = keySummary(key);
  for (const id of await missingEndpoints(flags, summary.endpoints))
    console.error(`There is no endpoint ${id} now. The key may call it once it is deployed.`);
  await warnOfPrices(flags, summary);
  if (flags.json) return printJson({ ...summary, secret });
  // Only the secret is in the standard output, so that `login` can read a file with it.
  console.log(secret);
  console.error(
    `This secret is shown only once. Store it safely. The id of the key is ${summary.id}.\nNext: npx gpu-endpoints login --url URL, which prompts for the secret or reads it from a file: < key.txt`,
  );
}

function expiryOf({ expiresAt }: KeySummary): string {
  if (expiresAt === undefined) return 'never';
  const left = Date.parse(expiresAt) - systemClock.now();
  return left > 0 ? `in ${duration(left)}` : 'expired';
}

async function list(flags: DeploymentFlags): Promise<void> {
  const found = await listKeys({ keys: await keysOf(flags) });
  if (flags.json) return printJson(found);
  printTable<KeySummary>(
    [
      { head: 'ID', text: ({ id }) => id },
      { head: 'NAME', text: ({ name }) => name },
      { head: 'OWNER', text: ({ owner }) => owner, shrinks: 'end' },
      { head: 'EXPIRES', text: expiryOf, isNumber: true },
      { head: '$/DAY', text: ({ maxDollarsPerDay = 'none' }) => String(maxDollarsPerDay), isNumber: true },
      { head: 'ENDPOINTS', text: ({ endpoints }) => endpoints.join(','), shrinks: 'end' },
      { head: 'OPERATIONS', text: ({ operations }) => operations.join(','), shrinks: 'end' },
      { head: 'SCOPES', text: ({ scopes }) => scopes.join(','), shrinks: 'end' },
    ],
    found.keys,
    'There are no keys.',
  );
}

async function revoke(id: string, flags: DeploymentFlags): Promise<void> {
  const key = keySummary(await revokeKey({ keys: await keysOf(flags) }, id));
  if (flags.json) printJson({ id: key.id });
  else
    console.log(
      `Revoked ${key.id} (${key.name}, of ${key.owner}). It may be accepted for another ${MINUTE / SECOND} seconds.`,
    );
}

/** Reads `--max-dollars-per-day`. */
function dollars(text: string): number {
  const { min, max } = budgetLimits;
  const number = /^\d{1,7}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= min && number <= max)) throw new InvalidArgumentError(`It must be US dollars from ${min} to ${max}.`);
  return number;
}

const dollarsOrNone = (text: string): number | 'none' => (text === 'none' ? text : dollars(text));

async function update(
  id: string,
  flags: DeploymentFlags & { readonly maxDollarsPerDay: number | 'none' },
): Promise<void> {
  const max = flags.maxDollarsPerDay === 'none' ? undefined : flags.maxDollarsPerDay;
  if (max !== undefined) await assertHistory(flags);
  const key = keySummary(await changeBudget({ keys: await keysOf(flags) }, id, max));
  await warnOfPrices(flags, key);
  if (flags.json) return printJson(key);
  const budget = key.maxDollarsPerDay === undefined ? 'no budget' : `a budget of $${key.maxDollarsPerDay} a day (UTC)`;
  console.log(`${key.id} (${key.name}, of ${key.owner}) has ${budget} within a minute.`);
}

/** Maximum characters of a line of the notes. */
const LINE = 100;

const ofKeys = (command: Command, example: string, notes?: string) =>
  deploymentCommand(withTable(command, 'KeysTable'), example, notes);

export function addKeys(program: Command): void {
  const keys = withExample(
    program.command('keys').description('create, list, change and revoke the keys of clients'),
    'keys ls --env prod',
  );
  ofKeys(
    keys
      .command('create')
      .description('create a key, and print its secret once: the service stores only its hash')
      .requiredOption('--name <name>', 'what the key is for')
      .option('--owner <owner>', 'owner of the key (default: the name)')
      .option('--endpoints <ids>', 'ids of endpoints that the key may call, with commas; * for all', '*')
      .option('--operations <names>', 'operations that the key may call, with commas; * for all', '*')
      .option('--scopes <names>', `what the key may do with templates: ${templateScopes.join(', ')} (default: none)`)
      .option('--expires <time>', 'when the key expires: 30d, 12h, 2030-01-31 or 2030-01-31T12:00Z (default: never)')
      .option(
        '--max-dollars-per-day <dollars>',
        'worker time in a day (UTC) that the key can pay for (default: any)',
        dollars,
      ),
    `keys create --name ci --endpoints echo --operations ${clientOperations.join(',')} --expires 30d > key.txt`,
    `${new Help().boxWrap(`Operations: ${keyOperations.join(', ')}`, LINE)}\n\nCommands with what a key needs for them (for --wait, status does in place of status-sync):\n${needsTable()}`,
  ).action(create);
  ofKeys(keys.command('ls').description('list all keys without their secrets, oldest first'), 'keys ls').action(list);
  ofKeys(
    keys
      .command('update')
      .description('change the budget of a key')
      .argument('<id>', 'id of the key, or its first 6 characters or more')
      .requiredOption(
        '--max-dollars-per-day <dollars>',
        'worker time in a day (UTC) that the key can pay for, or none for any',
        dollarsOrNone,
      ),
    'keys update 0a1b2c3d4e5f --max-dollars-per-day 20',
  ).action(update);
  ofKeys(
    keys
      .command('revoke')
      .description('remove a key')
      .argument('<id>', 'id of the key, or its first 6 characters or more'),
    'keys revoke 0a1b2c3d4e5f',
    `The key is refused after at most ${MINUTE / SECOND} seconds, because functions and API Gateway cache keys and decisions\nfor less than that time.`,
  ).action(revoke);
}
