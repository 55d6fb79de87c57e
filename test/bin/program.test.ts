/** Tests the command line as a whole: every command describes itself, without a deployment and without credentials. */
import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { createProgram } from '../../bin/program.ts';

/** Returns all commands without subcommands, with the words that run them. */
function leavesOf(command: Command, words: readonly string[] = []): [string, Command][] {
  const those = command.commands.filter((each) => each.name() !== 'help');
  if (those.length === 0) return [[words.join(' '), command]];
  return those.flatMap((each) => leavesOf(each, [...words, each.name()]));
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (more) => (text += more) }).outputHelp();
  return text;
}

const leaves = leavesOf(createProgram());
/** Commands whose modules read their own arguments and print their own help. */
const isOwn = (command: Command) =>
  command.registeredArguments.some(({ variadic, description }) => variadic && description.includes('--help lists'));

describe.each(leaves.filter(([, command]) => !isOwn(command)))('gpu-endpoints %s', (name, command) => {
  it('has a help with an example that runs it', () => {
    expect(helpOf(command)).toMatch(
      new RegExp(`\\nExamples?[:,][^]*gpu-endpoints"?,? (?:"?${name.split(' ').join('"?,? "?')})`),
    );
  });

  it('has options that describe themselves', () => {
    for (const { flags, description } of command.options)
      expect([flags, description]).toEqual([flags, expect.stringMatching(/\S/)]);
  });
});

it('the command line has the commands that people look for', () => {
  expect(leaves.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'init',
      'dev',
      'deploy',
      'run',
      'jobs get',
      'logs',
      'endpoints resume',
      'keys create',
      'mcp',
      'upgrade',
    ]),
  );
});
