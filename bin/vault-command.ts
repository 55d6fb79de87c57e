/**
 * The command that manages the secrets that templates refer to. `npm run registry-auth` and `npm run secrets`
 * differ only in the value that they read.
 */
import { parseArgs } from 'node:util';
import { DEFAULT_DEPLOYMENT } from '../core/deployment.ts';
import { createSecret, removeSecret, replaceSecret, restoreSecret } from '../core/templates/keep-secret.ts';
import {
  RECOVERY_DAYS,
  secretKinds,
  secretNameOf,
  type Vault,
  type VaultEntry,
  type VaultKind,
} from '../core/templates/vault.ts';
import { deploymentOptions, useDeployment } from './deployment-outputs.ts';
import { UsageError } from './key-arguments.ts';
import { runVerb } from './verbs.ts';

const { outputs, deployment, local } = deploymentOptions;
const options = {
  name: { type: 'string' },
  username: { type: 'string' },
  outputs,
  deployment,
  local,
  json: { type: 'boolean', default: false },
} as const;

export interface Values {
  readonly name?: string;
  readonly username?: string;
  readonly outputs: string;
  readonly deployment?: string;
  readonly local: boolean;
  readonly json: boolean;
}

export interface VaultCommand {
  readonly kind: VaultKind;
  /** Name of the npm script. */
  readonly script: string;
  /** Noun phrase for the value, in the help. */
  readonly noun: string;
  /** How templates refer to the value. */
  readonly reference: (name: string) => string;
  /** Options of `create` and `rotate`, in addition to `--name`: their names, their help, their usage and an example. */
  readonly own: {
    readonly usage: string;
    readonly help: string;
    readonly names: readonly string[];
    /** Lines of the help that create a secret. */
    readonly example: string;
  };
  /** Sentence of the help about reading stdin. */
  readonly reads: string;
  /**
   * Reads the value.
   * @throws UsageError if an option is missing
   */
  readValue(values: Values): Promise<string>;
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

Manages ${noun} as the secret ${secretNameOf('DEPLOYMENT', kind, 'NAME')} in AWS Secrets Manager.
${reads}
The value is not an option, because every process on the machine can see arguments. It is never printed.

create stores a new secret. rotate replaces the value of a secret, for workers that start later.
list shows all secrets without their values. delete removes a secret: workers that start later do not get it. For ${RECOVERY_DAYS} days
its name remains in use, and restore recovers the secret.

  --name NAME        ${secretKinds[kind].formDescription}
${own.help}  --local            use the secrets of \`npm start\`, while it runs; otherwise those of the account and
                     Region of your AWS credentials
  --deployment NAME  the deployment     (default: that of the outputs file; without a file, ${DEFAULT_DEPLOYMENT})
  --outputs FILE     the file that \`cdk deploy --outputs-file FILE\` wrote   (default: outputs.json)
  --json             print only JSON
  --help             print this help

Examples:
${own.example}  npm run ${script} -- list --local
  npm run ${script} -- restore NAME
`;

const day = (time: number) => new Date(time).toISOString();

/**
 * Reads the options and arguments of a command.
 * @throws UsageError
 */
function valuesOf(args: string[], allowed: readonly string[]): { values: Values; positionals: readonly string[] } {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const { name, username, ...others } = values;
  const given = Object.entries({ name, username }).filter(([, value]) => value !== undefined);
  const unwanted = given.find(([option]) => !allowed.includes(option));
  if (unwanted) throw new UsageError(`This command has no option --${unwanted[0]}; --help shows the usage.`);
  return { values: { ...others, ...(name && { name }), ...(username && { username }) }, positionals };
}

/** Loads the AWS SDK only when it is needed, because it loads slowly. Usage errors and the help do not need it. */
async function vaultOf(values: Values): Promise<Vault> {
  // `useDeployment` sets the environment from which the SDK's clients read their settings.
  const name = useDeployment(values);
  const { createVault } = await import('../aws/templates/vault.ts');
  return createVault(name);
}

const print = ({ json }: Values, facts: object, sentence: string) =>
  console.log(json ? JSON.stringify(facts) : sentence);

function named(args: string[], { own }: VaultCommand): { values: Values; name: string } {
  const { values, positionals } = valuesOf(args, ['name', ...own.names]);
  if (positionals.length > 0)
    throw new UsageError(
      'The command takes only options. It reads the value from stdin, because other users could see an argument.',
    );
  if (!values.name) throw new UsageError('--name is missing.');
  return { values, name: values.name };
}

function pointedAt(args: string[], verb: string): { values: Values; name: string } {
  const { values, positionals } = valuesOf(args, []);
  const [name, ...others] = positionals;
  if (!name || others.length > 0) throw new UsageError(`${verb} takes one name.`);
  return { values, name };
}

async function create(args: string[], command: VaultCommand): Promise<void> {
  const { values, name } = named(args, command);
  await createSecret(await vaultOf(values), command.kind, name, await command.readValue(values));
  print(values, { created: name }, `Created ${name}. Templates refer to it as ${command.reference(name)}.`);
}

async function rotate(args: string[], command: VaultCommand): Promise<void> {
  const { values, name } = named(args, command);
  await replaceSecret(await vaultOf(values), command.kind, name, await command.readValue(values));
  print(values, { rotated: name }, `Rotated ${name}. Running workers continue with the old value.`);
}

const lineOf = ({ name, createdAt, changedAt }: VaultEntry) =>
  `${name}  created ${day(createdAt)}, value set ${day(changedAt)}`;

async function list(args: string[], { kind }: VaultCommand): Promise<void> {
  const { values, positionals } = valuesOf(args, []);
  if (positionals.length > 0) throw new UsageError('list takes no name.');
  const entries = await (await vaultOf(values)).list(kind);
  const facts = entries.map(({ name, createdAt, changedAt }) => ({ name, createdAt, changedAt }));
  print(values, facts, entries.map(lineOf).join('\n') || 'There are no secrets.');
}

async function remove(args: string[], { kind }: VaultCommand): Promise<void> {
  const { values, name } = pointedAt(args, 'delete');
  const until = await removeSecret(await vaultOf(values), kind, name);
  const sentence = `Deleted ${name}: workers that start from now on do not get it. \`restore\` can recover it until ${day(until)}.`;
  print(values, { deleted: name, restorableUntil: until }, sentence);
}

async function restore(args: string[], { kind }: VaultCommand): Promise<void> {
  const { values, name } = pointedAt(args, 'restore');
  await restoreSecret(await vaultOf(values), kind, name);
  print(values, { restored: name }, `Restored ${name}, with its last value.`);
}

const verbs = { create, rotate, list, delete: remove, restore };

/** Runs the command with these arguments. */
export function runVaultCommand(command: VaultCommand, args: string[]): Promise<void> {
  const its = Object.entries(verbs).map(([name, verb]) => [name, (rest: string[]) => verb(rest, command)] as const);
  return runVerb(new Map(its), helpOf(command), args);
}
