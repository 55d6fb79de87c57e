/** The commands of the binary and the scripts of package.json, with facts that their help does not state. */

/** Pages about commands of the binary by their first word, from the reference. */
export const guides: Readonly<Record<string, string>> = {
  login: '../guides/calling.md',
  logout: '../guides/calling.md',
  profiles: '../guides/calling.md',
  open: '../guides/console.md',
  run: '../guides/calling.md',
  jobs: '../guides/calling.md',
  logs: '../guides/monitor.md',
  endpoints: '../guides/waiting.md',
  workers: '../guides/monitor.md',
  alarms: '../guides/monitor.md',
  releases: '../guides/templates.md',
  templates: '../guides/templates.md',
  webhooks: '../guides/webhooks.md',
  mcp: '../guides/calling.md',
  init: '../guides/install.md',
  diff: '../guides/upgrade.md',
  deploy: '../guides/deploy.md',
  destroy: '../guides/remove.md',
  upgrade: '../guides/upgrade.md',
  verify: 'contract.md',
  worker: '../guides/workers.md',
  validate: '../guides/git.md',
  doctor: '../guides/deploy.md',
  stacks: '../guides/remove.md',
  promote: '../guides/environments.md',
  remove: '../guides/remove.md',
  cost: 'costs.md',
  saturation: '../guides/load.md',
  keys: '../guides/calling.md',
  secrets: '../guides/secrets.md',
  registry: '../guides/secrets.md',
};

export interface UserCommand {
  /** Name in package.json. */
  readonly script: string;
  /**
   * Whether the command calls AWS actions, which its help lists.
   * @default - the command needs no AWS credentials
   */
  readonly calls?: 'in its help';
  /** Meanings of exit codes, if they are not only success and failure. */
  readonly exits?: Readonly<Record<string, string>>;
  /** Path of a page about the command, from the reference. */
  readonly guide: string;
}

const dynamodb = (...names: readonly string[]) => names.map((name) => `dynamodb:${name}`);
const secretsManager = (...names: readonly string[]) => names.map((name) => `secretsmanager:${name}`);
const signing = [...dynamodb('Query', 'GetItem', 'PutItem'), 'kms:Decrypt', 'kms:GenerateDataKey'];

const ofVault = (noun: string) => ({
  [`${noun} create`]: secretsManager('CreateSecret'),
  [`${noun} rotate`]: secretsManager('PutSecretValue'),
  [`${noun} ls`]: secretsManager('ListSecrets'),
  [`${noun} delete`]: secretsManager('DeleteSecret'),
  [`${noun} restore`]: secretsManager('DescribeSecret', 'RestoreSecret'),
});

/** Commands of the binary that call AWS actions, which their help lists. */
export const callsInHelp: readonly string[] = [
  'doctor',
  'stacks',
  'remove endpoint',
  'remove pool',
  'remove deployment',
];

/** Meanings of exit codes of commands of the binary by their first word, if they are not only success and failure. */
export const exits: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  worker: {
    '0': 'Ctrl-C stopped the command',
    '1': '`dev` is not running or stopped, or the endpoint does not exist',
    '127': 'The command could not be started',
    '130': 'A second Ctrl-C killed the command',
    others: 'The exit code of the command',
  },
  validate: { '0': 'The declarations are valid', '1': 'A declaration is invalid, or a stack exceeds a limit' },
  doctor: { '0': 'No check found a problem; warnings are allowed', '1': 'A check found a problem' },
  stacks: {
    '0': 'Every deployed stack is declared, and no template differs from its file',
    '1': 'A deployed stack is not declared, a template differs from its file, or AWS refused the call',
  },
  remove: {
    '0': 'All is removed, or nothing is left to remove',
    '1': 'The removal was refused, or a stack could not be deleted',
    '2': 'Nothing is removed, because the user did not agree',
    '130': 'Ctrl-C interrupted the command',
  },
  cost: { '0': 'Every resource has a price', '1': 'A resource has no price' },
};

/** AWS actions of commands of the binary, without `--env local`. */
export const awsCalls: Readonly<Record<string, readonly string[]>> = {
  'endpoints resume': dynamodb('Query', 'UpdateItem', 'BatchWriteItem'),
  'webhooks secret show': signing,
  'webhooks secret rotate': signing,
  'keys create': dynamodb('PutItem'),
  'keys ls': dynamodb('Scan'),
  'keys update': dynamodb('Scan', 'UpdateItem'),
  'keys revoke': dynamodb('Scan', 'DeleteItem'),
  ...ofVault('secrets'),
  ...ofVault('registry'),
};

export const userCommands: readonly UserCommand[] = [
  {
    script: 'start',
    exits: { '0': 'Ctrl-C stopped the service', '1': 'The service could not start, or a part of it stopped' },
    guide: '../explanation/laptop.md',
  },
  {
    script: 'sizes',
    exits: { '0': 'Every stack is within the limits', '1': 'A stack exceeds a limit, or violates a rule' },
    guide: '../guides/capacity.md',
  },
];

export interface BuildCommand {
  readonly script: string;
  readonly purpose: string;
  /** Path of a page about the command, from the reference. */
  readonly guide: string;
}

/** Commands that build one file. They have no options and no help of their own; esbuild reads those of the bundles. */
export const buildCommands: readonly BuildCommand[] = [
  {
    script: 'agent:bundle',
    purpose: "Bundles the agent into `dist/agent/agent.cjs`, the only file of the agent's image",
    guide: '../guides/publish-images.md',
  },
  {
    script: 'ingress:bundle',
    purpose: "Bundles the ingress into `dist/ingress/ingress.cjs`, the only file of the ingress's image",
    guide: '../guides/publish-images.md',
  },
];

/** Scripts for contributors, with their purposes. */
export const contributorScripts: Readonly<Record<string, string>> = {
  typecheck: 'Checks the types of the service and of the console',
  lint: 'Checks the format, the rules of Biome, and the import walls',
  package: 'Packs the npm package that teams install, into `dist`',
  format: 'Formats all files, and applies the safe fixes of Biome',
  generate: 'Generates everything that the repository contains of the definitions of operations and of schemas',
  synth: 'Synthesizes the stacks into `cdk.out`',
  docs: 'Serves the documents as a site, and updates it after changes',
  lock: 'Adds binaries of other platforms to `package-lock.json`, and checks integrity and licences of its packages',
  sbom: 'Writes a software bill of materials to `dist/sbom.cdx.json`',
};
