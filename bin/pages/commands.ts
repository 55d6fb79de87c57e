/** The page `docs/reference/commands.md`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../lib/settings/package-files.ts';
import { helpOf, helpOfBinary } from './command-help.ts';
import {
  awsCalls,
  buildCommands,
  contributorScripts,
  exits,
  guides,
  type UserCommand,
  userCommands,
} from './command-list.ts';
import { type BinaryCommand, binaryCommands, helpTextOf } from './command-tree.ts';
import { block, code, joined, pageOf, table } from './markdown.ts';

const FOLDER = 'docs/reference';
const TESTING = '../guides/testing.md';

/** Returns the command that runs a script. */
export const commandOf = (script: string) => (script === 'start' ? 'npm start' : `npm run ${script}`);

/** Returns a link to a page, by its path from the reference, with its title. */
function linkTo(path: string): string {
  const [, title = ''] = /^# (.+)$/m.exec(readFileSync(join(packageFolder, FOLDER, path), 'utf8')) ?? [];
  return `[${title}](${path})`;
}

/** The section of a help that lists environment variables. */
const ENVIRONMENT = /^Environment:\n((?: +\S.*\n?)+)\n*/m;

/** Returns the first sentence of a help after its usage. */
function purposeOf(help: string): string {
  const [, paragraph = ''] = help.split('\n\n');
  const [, sentence = ''] = /^(.+?\.)(?:\s|$)/s.exec(paragraph) ?? [];
  return sentence.replaceAll('\n', ' ');
}

export interface Variable {
  readonly name: string;
  readonly meaning: string;
  readonly default: string;
}

/** Returns the environment variables that a help lists. */
export function variablesIn(help: string): Variable[] {
  const [, section = ''] = ENVIRONMENT.exec(help) ?? [];
  return section.split(/^ {2}(?=[A-Z])/m).flatMap((entry) => {
    const [, name, text = ''] = /^([A-Z_]+)\s+(.+)$/s.exec(entry) ?? [];
    if (name === undefined) return [];
    const description = text.trim().replaceAll(/\s+/g, ' ');
    const [, meaning = description, byDefault = 'none'] = /^(.+?) \(default: (.+)\)$/.exec(description) ?? [];
    return [{ name, meaning, default: byDefault }];
  });
}

function variablesOf(help: string): string {
  const rows = variablesIn(help).map((variable) => [code(variable.name), variable.meaning, variable.default]);
  return joined([rows.length > 0 ? 'Environment variables:' : '', table(['variable', 'meaning', 'default'], rows)]);
}

const exitsOf = (meanings: UserCommand['exits'] = {}) => table(['exit code', 'meaning'], Object.entries(meanings));

const sectionOf = (command: UserCommand, help: string) =>
  joined([
    `### ${code(commandOf(command.script))}`,
    `See ${linkTo(command.guide)}.`,
    block('text', help.replace(ENVIRONMENT, '')),
    variablesOf(help),
    exitsOf(command.exits),
  ]);

const anchorOf = (script: string) =>
  commandOf(script)
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

const overview = (helps: ReadonlyMap<UserCommand, string>) =>
  table(
    ['command', 'effect', 'AWS credentials'],
    [...helps].map(([{ script, calls }, help]) => [
      `[${code(commandOf(script))}](#${anchorOf(script)})`,
      purposeOf(help),
      calls ? 'yes' : 'no',
    ]),
  );

const rules = `Run \`npx gpu-endpoints\` in the folder of a repository that has the package, or of a clone of this one after
\`npm ci\`. Other commands are scripts of this repository's \`package.json\`, for contributors.

Commands follow these rules:

- \`--help\` prints the options. It needs no AWS credentials, and starts and changes nothing.
- An unknown option is an error, which names the option. The exit code of an error is 1. The exit code of success is 0.
  The sections list exit codes with other meanings.
- A command that calls AWS uses the credentials and the Region of the environment or the profile, as the AWS CLI does.
- With \`--env local\`, a command uses the service of \`dev\` and needs no AWS credentials. If \`dev\` uses another folder than
  \`.local\`, set the same \`LOCAL_STATE_DIR\` for the command.
- With \`--json\`, a command prints only JSON, with times in ISO 8601. Commands that call the interfaces print their
  responses, which [the job interface](job-api.md) and [the management interface](management-api.md) describe. The
  others print the forms that [\`command-output.schema.json\`](command-output.schema.json) records.`;

const builds = joined([
  '## Commands that build',
  'These commands need no AWS credentials. The two bundles pass their options to esbuild.',
  table(
    ['command', 'effect', 'see'],
    buildCommands.map(({ script, purpose, guide }) => [code(commandOf(script)), purpose, linkTo(guide)]),
  ),
]);

/** Scripts of the root's `package.json` that the guide for contributors describes. */
export const scriptsInGuide = (): readonly string[] => {
  const guide = readFileSync(join(packageFolder, FOLDER, TESTING), 'utf8');
  return [
    ...new Set(
      [...guide.matchAll(/^\| `npm (?:run )?((?!(?:ci|run)\b)[\w:]+)(?![\w:]| -w )/gm)].map(
        ([, script = '']) => script,
      ),
    ),
  ];
};

const contributors = () =>
  joined([
    '## Commands for contributors',
    `${linkTo(TESTING)} describes ${scriptsInGuide()
      .map((script) => code(script === 'test' ? 'npm test' : commandOf(script)))
      .join(', ')}. The other commands are:`,
    table(
      ['command', 'effect'],
      Object.entries(contributorScripts).map(([script, purpose]) => [code(commandOf(script)), purpose]),
    ),
  ]);

/** Returns the table of AWS actions of commands, if they have some. */
function callsOf(names: readonly string[]): string {
  const rows = names.flatMap((name) => {
    const calls = awsCalls[name];
    return calls === undefined ? [] : [[code(`npx gpu-endpoints ${name}`), calls.map(code).join(', ')]];
  });
  if (rows.length === 0) return '';
  return joined([
    'Without `--env local`, the AWS credentials must allow these actions:',
    table(['command', 'actions'], rows),
  ]);
}

const binarySection = ([noun, commands]: readonly [string, readonly BinaryCommand[]]) =>
  joined([
    `### ${code(`npx gpu-endpoints ${noun}`)}`,
    `See ${linkTo(guides[noun] ?? '')}.`,
    ...commands.map(({ command }) => block('text', helpTextOf(command))),
    callsOf(commands.map(({ name }) => name)),
    exitsOf(exits[noun]),
  ]);

async function binary(): Promise<string> {
  const commands = Map.groupBy(binaryCommands(), ({ name }) => name.split(' ')[0] ?? '');
  return joined([
    '## Commands of the package',
    `${linkTo('../guides/install.md')} describes the package.`,
    block('text', await helpOfBinary()),
    ...[...commands].map(binarySection),
  ]);
}

/** Returns the page. Runs every command for users with `--help`. */
export async function commandsPage(): Promise<string> {
  const helps = await Promise.all(
    userCommands.map(async (command) => [command, await helpOf(command.script)] as const),
  );
  const sections = helps.map(([command, help]) => sectionOf(command, help));
  const parts = [
    rules,
    await binary(),
    '## Scripts of this repository',
    overview(new Map(helps)),
    ...sections,
    builds,
    contributors(),
  ];
  return pageOf('Commands', 'generate', parts);
}
