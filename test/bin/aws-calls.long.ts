/** Runs the commands against `npm start`, and compares their AWS calls with those of `docs/reference/commands.md`. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scripts } from '../../bin/pages/command-help.ts';
import { userCommands } from '../../bin/pages/command-list.ts';
import { sharedAssembly } from '../acceptance/assembly.ts';
import { eventually, type LocalService, newStateDir, startService, stopService } from '../acceptance/local-service.ts';

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
 * Runs the script with `--local`.
 * @param stdin text that the command reads
 */
function run(script: string, args: readonly string[], stdin = ''): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const [, program = ''] = scripts()[script]?.split(' ') ?? [];
  const env = { PATH: process.env.PATH, LOCAL_STATE_DIR: stateDir };
  const child = execFile(process.execPath, [program, ...args, '--local'], { env }, (error, stdout) =>
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
  readonly script: string;
  readonly verb: string;
  readonly begin: number;
  readonly end: number;
}

/** Returns the actions of the calls that began between two times. */
const actionsIn = (calls: readonly Call[], { begin, end }: Run) => {
  const those = calls.filter(({ time }) => begin <= Date.parse(time) && Date.parse(time) <= end);
  return those.map(({ service: of, operation }) => `${of}:${operation}`);
};

/** Submits a job with a webhook that nothing receives. Returns its id when the delivery has failed. */
async function failedDelivery(): Promise<string> {
  const body = JSON.stringify({ input: { text: 'hello' }, webhook: 'http://127.0.0.1:1025/' });
  const headers = { Authorization: `Bearer ${service.ApiKey}` };
  const response = await fetch(`${service.JobApiUrl}/echo/run`, { method: 'POST', headers, body });
  const { id } = (await response.json()) as { id: string };
  await eventually('the delivery has failed', async () =>
    (await run('webhooks', ['list', '--endpoint', 'echo'])).includes(id) ? true : undefined,
  );
  return id;
}

describe('the AWS calls of the commands', () => {
  it('are those that the reference lists', async () => {
    const id = await failedDelivery();
    const vault = (name: string, ...more: string[]) => ({
      create: [['create', '--name', name, ...more]],
      rotate: [['rotate', '--name', name, ...more]],
      list: [['list']],
      delete: [['delete', name]],
      restore: [['restore', name]],
    });
    const keyId = async () => JSON.parse(await run('keys', ['list', '--json'])).at(-1).id as string;
    const runs: Record<string, Record<string, string[][]>> = {
      keys: { create: [['create', '--name', 'x']], list: [['list']], revoke: [] },
      secrets: vault('NAME'),
      'registry-auth': vault('name', '--username', 'ada'),
      webhooks: {
        'secret show': [
          ['secret', 'show', '--endpoint', 'echo-http'],
          ['secret', 'show', '--endpoint', 'echo-http'],
        ],
        'secret rotate': [['secret', 'rotate', '--endpoint', 'echo-http']],
        list: [['list']],
        resend: [['resend', '--endpoint', 'echo', '--job', id]],
      },
      resume: { ENDPOINT: [['echo']] },
    };
    const done: Run[] = [];
    for (const [script, verbs] of Object.entries(runs))
      for (const [verb, all] of Object.entries(verbs)) {
        const those = verb === 'revoke' ? [['revoke', await keyId()]] : all;
        const begin = Date.now();
        for (const args of those) await run(script, args, 'a-value\n');
        done.push({ script, verb, begin, end: Date.now() });
      }
    // A line of the log can be written after the command has exited, so the lines of a last command are awaited.
    const last = Date.now();
    await run('keys', ['list']);
    const calls = await eventually('the last call is logged', () => {
      const all = operatorCalls();
      return all.some(({ time }) => Date.parse(time) >= last) ? all : undefined;
    });
    const made = Map.groupBy(done, ({ script }) => script);
    const listed = userCommands.flatMap(({ script, calls }) =>
      calls === undefined || calls === 'in its help'
        ? []
        : [
            [
              script,
              Object.fromEntries(Object.entries(calls).map(([verb, actions]) => [verb, new Set(actions)])),
            ] as const,
          ],
    );
    const found = [...made].map(([script, those]) => [
      script,
      Object.fromEntries(those.map((one) => [one.verb, new Set(actionsIn(calls, one))])),
    ]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(listed));
  }, 300_000);
});
