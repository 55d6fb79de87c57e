/**
 * The commands that manage the secrets that templates refer to. `gpu-endpoints registry` and `gpu-endpoints secrets`
 * differ only in the value that they read.
 */
import type { Command } from 'commander';
import { isoTime } from '../../core/requests/time.ts';
import { createSecret, removeSecret, replaceSecret, restoreSecret } from '../../core/templates/keep-secret.ts';
import {
  RECOVERY_DAYS,
  secretKinds,
  secretNameOf,
  type Vault,
  type VaultEntry,
  type VaultKind,
} from '../../core/templates/vault.ts';
import { ago, printJson, printTable } from '../client/print.ts';
import { withExample } from '../example.ts';
import { UsageError } from '../usage-error.ts';
import { chosenBy, type DeploymentFlags, deploymentCommand } from './options.ts';
import { useDeployment } from './outputs.ts';

export interface VaultCommand<Flags extends DeploymentFlags> {
  readonly kind: VaultKind;
  /** Name of the command. */
  readonly name: string;
  /** Noun phrase for the value, in the help. */
  readonly noun: string;
  /** A valid name, for examples. */
  readonly example: string;
  /** How templates refer to the value. */
  readonly reference: (name: string) => string;
  /** Options of `create` and `rotate`, with their usage in examples. */
  readonly own?: { readonly add: (command: Command) => Command; readonly example: string };
  /** What the value is, in a sentence of the help about reading it. */
  readonly value: string;
  /** Name of the list in the JSON of `ls`. */
  readonly list: string;
  readValue(flags: Flags): Promise<string>;
}

/** Loads the AWS SDK only when it is needed, because it loads slowly. Usage errors and the help do not need it. */
async function vaultOf(flags: DeploymentFlags): Promise<Vault> {
  // `useDeployment` sets the environment from which the SDK's clients read their settings.
  const name = useDeployment(await chosenBy(flags));
  const { createVault } = await import('../../aws/templates/vault.ts');
  return createVault(name);
}

const print = ({ json }: DeploymentFlags, facts: object, sentence: string) =>
  json ? printJson(facts) : console.log(sentence);

const shownOf = ({ name, createdAt, changedAt }: VaultEntry) => ({
  name,
  createdAt: isoTime(createdAt),
  changedAt: isoTime(changedAt),
});

async function list(command: Pick<VaultCommand<never>, 'kind' | 'list'>, flags: DeploymentFlags): Promise<void> {
  const entries = (await (await vaultOf(flags)).list(command.kind)).map(shownOf);
  if (flags.json) return printJson({ [command.list]: entries });
  printTable<(typeof entries)[number]>(
    [
      { head: 'NAME', text: ({ name }) => name, shrinks: 'end' },
      { head: 'CREATED', text: ({ createdAt }) => ago(createdAt), isNumber: true },
      { head: 'VALUE SET', text: ({ changedAt }) => ago(changedAt), isNumber: true },
    ],
    entries,
    `There are no ${command.list}.`,
  );
}

async function remove(kind: VaultKind, name: string, flags: DeploymentFlags): Promise<void> {
  const restorableUntil = isoTime(await removeSecret(await vaultOf(flags), kind, name));
  const sentence = `Deleted ${name}: workers that start from now on do not get it. \`restore\` can recover it until ${restorableUntil}.`;
  print(flags, { name, restorableUntil }, sentence);
}

async function restore(kind: VaultKind, name: string, flags: DeploymentFlags): Promise<void> {
  await restoreSecret(await vaultOf(flags), kind, name);
  print(flags, { name }, `Restored ${name}, with its last value.`);
}

/** @throws UsageError if there is an argument after the name */
function refuseValue({ args }: Command): void {
  if (args.length > 1)
    throw new UsageError(
      'The name is the only argument. The value is read from the standard input, because other users could see an argument.',
    );
}

/** Adds a command with its subcommands. */
export function addVaultCommand<Flags extends DeploymentFlags>(program: Command, vault: VaultCommand<Flags>): void {
  const { kind, name: noun, example, own = { add: (command: Command) => command, example: '' } } = vault;
  const parent = withExample(
    program.command(noun).description(`create, rotate, list, delete and restore ${vault.noun}`),
    `${noun} ls --env prod`,
  );
  const stored = secretNameOf('DEPLOYMENT', kind, 'NAME');
  const named = (verb: string, description: string) =>
    parent.command(verb).description(description).argument('<name>', `its name: ${secretKinds[kind].formDescription}`);
  const reading = (verb: string, description: string) =>
    deploymentCommand(
      // The usual error for an argument too many does not say where the value belongs.
      own.add(named(verb, description)).allowExcessArguments().hook('preAction', refuseValue),
      `${noun} ${verb} ${example}${own.example} < FILE`,
      `${vault.value} is read from the standard input; at a terminal, the command prompts for it. It is no option or
argument, because every process on the machine can see arguments. It is never printed.`,
    );
  reading('create', `store ${vault.noun} as the secret ${stored} in AWS Secrets Manager`).action(
    async (name: string, flags: Flags) => {
      await createSecret(await vaultOf(flags), kind, name, await vault.readValue(flags));
      print(flags, { name }, `Created ${name}. Templates refer to it as ${vault.reference(name)}.`);
    },
  );
  reading('rotate', 'replace the value, for workers that start later').action(async (name: string, flags: Flags) => {
    await replaceSecret(await vaultOf(flags), kind, name, await vault.readValue(flags));
    print(flags, { name }, `Rotated ${name}. Running workers continue with the old value.`);
  });
  deploymentCommand(
    parent.command('ls').description('list all names, without their values'),
    `${noun} ls --env local`,
  ).action((flags: DeploymentFlags) => list(vault, flags));
  deploymentCommand(
    named('delete', `delete the value: workers that start later do not get it`),
    `${noun} delete ${example}`,
    `For ${RECOVERY_DAYS} days the name remains in use, and restore recovers the value.`,
  ).action((name: string, flags: DeploymentFlags) => remove(kind, name, flags));
  deploymentCommand(
    named('restore', `restore what was deleted in the last ${RECOVERY_DAYS} days`),
    `${noun} restore ${example}`,
  ).action((name: string, flags: DeploymentFlags) => restore(kind, name, flags));
}
