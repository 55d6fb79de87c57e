/** Tests the commands of package.json and their page, `docs/reference/commands.md`. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { helpOf, helpOfBinary, runProgram, runScript, scripts } from '../../bin/pages/command-help.ts';
import {
  awsCalls,
  buildCommands,
  callsInHelp,
  contributorScripts,
  guides,
  userCommands,
} from '../../bin/pages/command-list.ts';
import { binaryCommands, helpTextOf } from '../../bin/pages/command-tree.ts';
import { commandOf, commandsPage, scriptsInGuide, variablesIn } from '../../bin/pages/commands.ts';
import { createProgram } from '../../bin/program.ts';

const page = readFileSync('docs/reference/commands.md', 'utf8');
const commands = userCommands.map(({ script }) => script);

/** The programs that maintainers run by their file. */
const programs = globSync('bin/*.ts').filter((file) =>
  /^const HELP = `Usage: npx node /m.test(readFileSync(file, 'utf8')),
);

describe.each([
  ...commands.map((script) => ({
    typed: commandOf(script),
    usage: `${commandOf(script)} -- `,
    run: (...args: string[]) => runScript(script, args),
  })),
  ...programs.map((file) => ({
    typed: `npx node ${file}`,
    usage: `npx node ${file} `,
    run: (...args: string[]) => runProgram(file, args),
  })),
])('the help of $typed', ({ typed, usage: start, run }) => {
  it('is printed without AWS credentials, with a usage, a purpose and examples', async () => {
    const { code: exit, stdout: help, stderr: errors } = await run('--help');
    expect([exit, errors]).toEqual([0, '']);
    const [usage = '', purpose = ''] = help.split('\n\n');
    for (const line of usage.split('\n')) expect(line).toMatch(new RegExp(`^(?:Usage:|      ) ${start}`));
    expect(purpose).toMatch(/^[A-Z].*\./s);
    expect(help).toMatch(/^ +(?:-h, )?--help +print this help$/m);
    const examples = help.split('\nExamples:\n')[1]?.trim().split('\n') ?? [];
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(example).toContain(typed);
  });

  it('is not printed for an unknown option, which is named in one sentence', async () => {
    const { code, stdout, stderr } = await run('--frobnicate=secret');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain("'--frobnicate'");
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

const binary = binaryCommands();

describe.each(binary)('the help of gpu-endpoints $name', ({ name, command, description }) => {
  it('has a usage, a purpose, the options and an example', () => {
    const help = helpTextOf(command);
    expect(help).toMatch(new RegExp(`^Usage: gpu-endpoints ${name} `));
    expect(description).toMatch(/^[a-z].*[^.]$/s);
    expect(help).toContain('-h, --help');
    expect(help).toMatch(new RegExp(`\n\nExample.*:\n.*\\bgpu-endpoints\\W+${name}\\b.*$`, 's'));
    expect(Object.keys(guides)).toContain(name.split(' ')[0]);
  });

  it('is mentioned for an unknown option, which is named without its value', async () => {
    let printed = '';
    command.exitOverride().configureOutput({
      writeErr: (text) => {
        printed += text;
      },
    });
    const args = command.registeredArguments.filter(({ required }) => required).map(() => 'x');
    const mandatory = command.options.filter(({ mandatory: is }) => is).flatMap(({ long }) => [long ?? '', '1']);
    const words = [...args, ...mandatory, '--frobnicate=secret'];
    await expect(command.parseAsync(words, { from: 'user' })).rejects.toMatchObject({ exitCode: 1 });
    expect(printed).toContain("unknown option '--frobnicate'");
    expect(printed).toContain('--help');
  });
});

/** Returns a command and all its subcommands, each with its words. */
const treeOf = (command: Command, words: readonly string[] = []): [name: string, command: Command][] => [
  [words.join(' '), command],
  ...command.commands.flatMap((each) => treeOf(each, [...words, each.name()])),
];

it('every command and group of gpu-endpoints has a help with an example of it', async () => {
  for (const [name, command] of treeOf(createProgram())) {
    // The emulator prints the help of `dev`, which names the command that starts this repository's service.
    const [help, typed] =
      name === 'dev' ? [await helpOfBinary('dev'), 'npm start'] : [helpTextOf(command), `gpu-endpoints\\W+${name}\\b`];
    expect([name, help]).toEqual([
      name,
      expect.stringMatching(new RegExp(`^Usage: .*\n\nExamples?\\b[^\n]*:\n.*${typed}`, 's')),
    ]);
  }
});

it('lists the AWS actions only of commands that exist', () => {
  const names = binary.map(({ name }) => name);
  expect([...callsInHelp, ...Object.keys(awsCalls)].filter((name) => !names.includes(name))).toEqual([]);
});

describe('docs/reference/commands.md', () => {
  it('is what `npm run generate` writes from the help of the commands', async () => {
    expect(page).toBe(await commandsPage());
  });

  it('has every script of package.json, once', () => {
    const listed = [
      ...commands,
      ...buildCommands.map(({ script }) => script),
      ...scriptsInGuide(),
      ...Object.keys(contributorScripts),
    ];
    expect(listed.toSorted((one, other) => (one < other ? -1 : 1))).toEqual(
      Object.keys(scripts()).toSorted((one, other) => (one < other ? -1 : 1)),
    );
  });

  it('has the environment variables that `npm start` reads', async () => {
    // npm sets the last one. Containers and functions get the first two from the user.
    const ofSystem = ['PATH', 'HOME', 'INIT_CWD'];
    const sources = globSync(['packages/emulator/**/*.ts', 'bin/start/*.ts', 'bin/assembly/app-folder.ts'], {
      exclude: ['packages/emulator/{sample,test}/**'],
    }).map((file) => readFileSync(file, 'utf8'));
    const read = sources.flatMap((source) => [...source.matchAll(/\benv\.([A-Z_]+)/g)].map(([, name = '']) => name));
    const described = variablesIn(await helpOf('start')).map(({ name }) => name);
    expect(new Set(described)).toEqual(new Set(read.filter((name) => !ofSystem.includes(name))));
    for (const name of described) expect(page).toContain(`| \`${name}\` | `);
  });

  it('leaves the AWS actions of a command to its help only if the help lists them', async () => {
    const those = userCommands.filter(({ calls }) => calls === 'in its help');
    for (const { name, command } of binary.filter((one) => callsInHelp.includes(one.name)))
      expect([name, helpTextOf(command)]).toEqual([name, expect.stringMatching(/calls .* AWS actions?:? \w+:\w+/s)]);
    for (const { script } of those) expect(await helpOf(script)).toMatch(/calls .* AWS actions?:? \w+:\w+/s);
  });
});

it('documents and workflows deploy with this command line, except with options that only the CDK has', () => {
  const files = globSync(
    ['docs/{explanation,guides,reference,tutorials}/**/*.md', 'examples/*/README.md', 'bin/init/files/*'],
    {
      exclude: ['docs/reference/commands.md'],
    },
  );
  const deployments = files.flatMap((file) => readFileSync(file, 'utf8').match(/\bcdk deploy\b[^`\n]*/g) ?? []);
  expect(deployments.filter((command) => !command.includes('--exclusively'))).toEqual([]);
});
