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

/** Returns the first line that the command prints for wrong arguments. */
async function refusalOf(...args: readonly string[]): Promise<string | undefined> {
  let printed = '';
  const program = createProgram();
  record(program, (text) => {
    printed += text;
  });
  const error = await program.parseAsync(args, { from: 'user' }).catch((thrown: unknown) => thrown as Error);
  expect(`${printed}${String(error)}`).not.toContain(SECRET);
  return printed.split('\n')[0];
}

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
  let printed = '';
  const program = createProgram();
  record(program, (text) => {
    printed += text;
  });
  await expect(program.parseAsync(['login', '--ur'], { from: 'user' })).rejects.toThrow();
  expect(printed).toContain("error: unknown option '--ur'\n(Did you mean --url?)\n");
});

it('counts arguments too many without repeating them', async () => {
  expect(await refusalOf('login', SECRET)).toBe(
    "error: too many arguments for 'login'. Expected 0 arguments but got 1.",
  );
});
