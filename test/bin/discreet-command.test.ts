/** Tests that the errors of the command line do not repeat values, which can be secrets. */
import { expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { createProgram } from '../../bin/program.ts';

const SECRET = 'gpue_s3cr3t';

/** Makes the command and its subcommands print into a text and throw instead of exiting. */
function record(command: Command, print: (text: string) => void): void {
  command.exitOverride().configureOutput({ writeErr: print });
  for (const each of command.commands) record(each, print);
}

/** Returns what the command prints for wrong arguments. */
async function printedOf(...args: readonly string[]): Promise<string> {
  let printed = '';
  const program = createProgram();
  record(program, (text) => {
    printed += text;
  });
  const error = await program.parseAsync(args, { from: 'user' }).catch((thrown: unknown) => thrown as Error);
  expect(`${printed}${String(error)}`).not.toContain(SECRET);
  return printed;
}

/** Returns the first line that the command prints for wrong arguments. */
const refusalOf = async (...args: readonly string[]) => (await printedOf(...args)).split('\n')[0];

it.each([
  ['of a command', ['secrets', 'create', 'NAME', `--value=${SECRET}`], "error: unknown option '--value'"],
  ['of a group of commands', ['secrets', `--value=${SECRET}`], "error: unknown option '--value'"],
  ['of the program', [`--key=${SECRET}`], "error: unknown option '--key'"],
  ['with several lines in its value', ['login', `--key=it's\n${SECRET}`], "error: unknown option '--key'"],
  ['with one hyphen', ['login', `-k${SECRET}`], "error: unknown option '-k'"],
  ['that takes no value', ['profiles', `--json=${SECRET}`], "error: option '--json' takes no value"],
])('names an unknown option %s without its value', async (_, args, message) => {
  expect(await refusalOf(...args)).toBe(message);
});

it('suggests the nearest option', async () => {
  expect(await printedOf('login', '--ur')).toContain("error: unknown option '--ur'\n(Did you mean --url?)\n");
});

it.each([
  ['an argument too many', [SECRET], "error: too many arguments for 'run'. Expected 1 but got 2."],
  ['an unknown option', [`--inputs=${SECRET}`], "error: unknown option '--inputs'"],
])('names %s before a required option', async (_, args, message) => {
  expect(await refusalOf('run', 'echo', ...args)).toBe(message);
});

it('names the help of the command', async () => {
  expect(await printedOf('run', 'echo')).toBe(
    "error: required option '--input <json>' not specified\n(npx gpu-endpoints run --help describes the command)\n",
  );
});

it('counts arguments too many without repeating them', async () => {
  expect(await refusalOf('login', SECRET)).toBe(
    "error: too many arguments for 'login'. Expected 0 arguments but got 1.",
  );
});
