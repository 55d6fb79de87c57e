/** Runs the commands against `npm start`, and compares their AWS calls with those of `docs/reference/commands.md`. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { awsCalls } from '../../bin/pages/command-list.ts';
import { sharedAssembly } from '../acceptance/assembly.ts';
import { eventually, type LocalService, newStateDir, startService, stopService } from '../acceptance/local-service.ts';
import { parseOutput } from './command-output.ts';

const stateDir = newStateDir();
const callLog = join(stateDir, 'calls.jsonl');
let service: LocalService;

beforeAll(async () => {
  service = await startService(stateDir, {
    args: ['--assembly', await sharedAssembly()],
    env: { LOCAL_CALL_LOG: callLog },
  });
}, 120_000);
afterAll(() => stopService(service));

/**
 * Runs a command of the binary with `--env local`.
 * @param stdin text that the command reads
 */
function run(command: string, args: readonly string[] = [], stdin = ''): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const env = { PATH: process.env.PATH, LOCAL_STATE_DIR: stateDir };
  const words = ['bin/cli.ts', ...command.split(' '), ...args, '--env', 'local'];
  const child = execFile(process.execPath, words, { env }, (error, stdout) =>
    error ? reject(error) : resolve(stdout),
  );
  child.stdin?.end(stdin);
  return promise;
}

interface Call {
  /** When the call began. */
  readonly time: string;
  readonly role: string;
  readonly service: string;
  readonly operation: string;
}

/** Returns the calls of the operator so far, in the order of the log. */
const operatorCalls = () =>
  readFileSync(callLog, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Call)
    .filter(({ role }) => role === 'operator');

interface Run {
  readonly command: string;
  readonly begin: number;
  readonly end: number;
}

/** Returns the actions of the calls that began between two times. */
const actionsIn = (calls: readonly Call[], { begin, end }: Run) => {
  const those = calls.filter(({ time }) => begin <= Date.parse(time) && Date.parse(time) <= end);
  // Who the caller is can be asked without a permission.
  return those.filter(({ service }) => service !== 'sts').map(({ service: of, operation }) => `${of}:${operation}`);
};

/** Arguments of the runs of each command, whose secrets and keys exist. */
async function runsOf(command: string): Promise<(readonly string[])[]> {
  const [noun, verb] = command.split(' ');
  if (command === 'keys create') return [['--name', 'x']];
  if (command === 'keys revoke' || command === 'keys update') {
    const { keys } = JSON.parse(await run('keys ls', ['--json'])) as { keys: readonly { readonly id: string }[] };
    const id = keys.at(-1)?.id ?? '';
    return command === 'keys update' ? [[id, '--max-dollars-per-day', '1']] : [[id]];
  }
  if (verb === 'ls') return [[]];
  if (noun === 'endpoints') return [['echo']];
  // The first run creates the secret, and the second reads it.
  if (noun === 'webhooks') return [['echo-http'], ['echo-http']];
  const login = noun === 'registry' && (verb === 'create' || verb === 'rotate') ? ['--username', 'ada'] : [];
  return [['name', ...login]];
}

describe('the AWS calls of the commands', () => {
  it('are those that the reference lists, and their output has the recorded form', async () => {
    const done: Run[] = [];
    for (const command of Object.keys(awsCalls)) {
      const all = await runsOf(command);
      const begin = Date.now();
      for (const args of all) parseOutput(command, await run(command, [...args, '--json'], 'a-value\n'));
      done.push({ command, begin, end: Date.now() });
    }
    // A line of the log can be written after the command has exited, so the lines of a last command are awaited.
    const last = Date.now();
    await run('keys ls');
    const calls = await eventually('the last call is logged', () => {
      const all = operatorCalls();
      return all.some(({ time }) => Date.parse(time) >= last) ? all : undefined;
    });
    const found = done.map((one) => [one.command, new Set(actionsIn(calls, one))]);
    const listed = Object.entries(awsCalls).map(([command, actions]) => [command, new Set(actions)]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(listed));
  }, 300_000);
});
