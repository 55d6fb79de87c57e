/**
 * The commands on what templates name: `npm run registry-auth` and `npm run secrets` are the same but for what they
 * ask.
 */
import { parseArgs } from 'node:util';
import { DEFAULT_DEPLOYMENT } from '../core/deployment.ts';
import { createSecret, removeSecret, replaceSecret, restoreSecret } from '../core/templates/keep-secret.ts';
import { RECOVERY_DAYS, secretNameOf, shelves, type Vault, type VaultEntry, type VaultKind } from '../core/templates/vault.ts';
import { UsageError } from './key-arguments.ts';
import { deploymentNameOf, placeOptions } from './place.ts';
import { runVerb } from './verbs.ts';

const { outputs, deployment, local } = placeOptions;
const options = {
  name: { type: 'string' },
  username: { type: 'string' },
  outputs,
  deployment,
  local,
  json: { type: 'boolean', default: false },
} as const;

export interface Words {
  readonly name?: string;
  readonly username?: string;
  readonly outputs: string;
  readonly deployment?: string;
  readonly local: boolean;
  readonly json: boolean;
}

export interface VaultCommand {
  readonly kind: VaultKind;
  /** As `npm run` knows it. */
  readonly script: string;
  /** What the value is, for people. */
  readonly noun: string;
  /** What templates write, to name it. */
  readonly reference: (name: string) => string;
  /** Options of `create` and `rotate` besides `--name`, in the help and as a usage. */
  readonly own: { readonly usage: string; readonly help: string; readonly names: readonly string[] };
  /** What the help says of what is read from stdin. */
  readonly reads: string;
  /** Asks for the value. @throws UsageError if an option is missing */
  readValue(words: Words): Promise<string>;
}

const helpOf = ({
  kind,
  script,
  noun,
  own,
  reads,
}: VaultCommand) => `Usage: npm run ${script} -- create --name NAME${own.usage} [options]
       npm run ${script} -- rotate --name NAME${own.usage} [options]
       npm run ${script} -- list [options]
       npm run ${script} -- delete NAME [options]
       npm run ${script} -- restore NAME [options]

Keeps ${noun} as a secret ${secretNameOf('DEPLOYMENT', kind, 'NAME')} of AWS Secrets Manager.
${reads}
An argument would be seen by every process of the machine, so there is none for it; it is never printed.

create stores a new one. rotate stores another value under the name, for workers that start from then on.
list shows all, without values. delete takes one away from workers that start from then on; for ${RECOVERY_DAYS} days
its name is taken, and restore brings it back.

  --name NAME        ${shelves[kind].formInWords}
${own.help}  --local            those of \`npm start\`, while it runs; without it, those of the account and the
                     Region that your AWS credentials are for
  --deployment NAME  which deployment               (default: the one of the outputs file; without one, ${DEFAULT_DEPLOYMENT})
  --outputs FILE     what \`cdk deploy --outputs-file FILE\` wrote   (default: outputs.json)
  --json             print JSON and nothing else
`;

const day = (time: number) => new Date(time).toISOString();

/** A command's words. @throws UsageError */
function wordsOf(args: string[], allowed: readonly string[]): { words: Words; positionals: readonly string[] } {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const { name, username, ...place } = values;
  const given = Object.entries({ name, username }).filter(([, value]) => value !== undefined);
  const unwanted = given.find(([option]) => !allowed.includes(option));
  if (unwanted) throw new UsageError(`--${unwanted[0]} is no option of this command; --help tells more.`);
  return { words: { ...place, ...(name && { name }), ...(username && { username }) }, positionals };
}

/** Loads the AWS SDK, which takes longer than all that is refused or explained without it. */
async function vaultOf(words: Words): Promise<Vault> {
  // First the environment, in which clients are made.
  const name = deploymentNameOf(words);
  const { createVault } = await import('../aws/templates/vault.ts');
  return createVault(name);
}

const say = ({ json }: Words, facts: object, sentence: string) => console.log(json ? JSON.stringify(facts) : sentence);

function named(args: string[], { own }: VaultCommand): { words: Words; name: string } {
  const { words, positionals } = wordsOf(args, ['name', ...own.names]);
  if (positionals.length > 0)
    throw new UsageError('Nothing but options is taken: a value that stood here would be seen by others.');
  if (!words.name) throw new UsageError('--name is missing.');
  return { words, name: words.name };
}

function pointedAt(args: string[], verb: string): { words: Words; name: string } {
  const { words, positionals } = wordsOf(args, []);
  const [name, ...others] = positionals;
  if (!name || others.length > 0) throw new UsageError(`${verb} takes one name.`);
  return { words, name };
}

async function create(args: string[], command: VaultCommand): Promise<void> {
  const { words, name } = named(args, command);
  await createSecret(await vaultOf(words), command.kind, name, await command.readValue(words));
  say(words, { created: name }, `Created ${name}. Templates name it as ${command.reference(name)}.`);
}

async function rotate(args: string[], command: VaultCommand): Promise<void> {
  const { words, name } = named(args, command);
  await replaceSecret(await vaultOf(words), command.kind, name, await command.readValue(words));
  say(words, { rotated: name }, `Rotated ${name}. Workers that run keep the value that they were started with.`);
}

const lineOf = ({ name, createdAt, changedAt }: VaultEntry) =>
  `${name}  made ${day(createdAt)}, has its value since ${day(changedAt)}`;

async function list(args: string[], { kind }: VaultCommand): Promise<void> {
  const { words, positionals } = wordsOf(args, []);
  if (positionals.length > 0) throw new UsageError('list takes no name.');
  const entries = await (await vaultOf(words)).list(kind);
  const facts = entries.map(({ name, createdAt, changedAt }) => ({ name, createdAt, changedAt }));
  say(words, facts, entries.map(lineOf).join('\n') || 'There is none.');
}

async function remove(args: string[], { kind }: VaultCommand): Promise<void> {
  const { words, name } = pointedAt(args, 'delete');
  const until = await removeSecret(await vaultOf(words), kind, name);
  const sentence = `Deleted ${name}: no worker is started with it any more. \`restore\` brings it back until ${day(until)}.`;
  say(words, { deleted: name, restorableUntil: until }, sentence);
}

async function restore(args: string[], { kind }: VaultCommand): Promise<void> {
  const { words, name } = pointedAt(args, 'restore');
  await restoreSecret(await vaultOf(words), kind, name);
  say(words, { restored: name }, `Restored ${name}, with the value that it had.`);
}

const verbs = { create, rotate, list, delete: remove, restore };

/** Does what the words of the command line say. */
export function runVaultCommand(command: VaultCommand, words: string[]): Promise<void> {
  const its = Object.entries(verbs).map(([name, verb]) => [name, (args: string[]) => verb(args, command)] as const);
  return runVerb(new Map(its), helpOf(command), words);
}
