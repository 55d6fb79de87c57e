/** Tests the commands that call a deployment: the binary as a process, against the service of this machine. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { newSecret } from '../../core/keys/client-keys.ts';
import { freePort } from '../../packages/emulator/network/ports.ts';
import { parseOutput } from '../bin/command-output.ts';
import { sharedAssembly } from './assembly.ts';
import { problemsOf } from './command-line/answers.ts';
import { type RunOptions, runBinary } from './command-line/binary.ts';
import { callingCommands } from './command-line/calls.ts';
import {
  eventually,
  jobIn,
  type LocalService,
  newStateDir,
  startService,
  stopService,
  submit,
} from './local-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-command-line-'));
const profiles = join(folder, '.config/gpu-endpoints/profiles.json');
let service: LocalService;
let limitedKey: string;

/** Runs the binary with the variables of the service, or with others. */
const run = (args: readonly string[], options: Partial<RunOptions> = {}) =>
  runBinary(args, { folder, env: { LOCAL_STATE_DIR: service.stateDir }, ...options });

beforeAll(async () => {
  service = await startService(newStateDir(), { args: ['--assembly', await sharedAssembly()] });
  const args = ['keys', 'create', '--name', 'limited', '--operations', 'health', '--env', 'local', '--json'];
  limitedKey = (JSON.parse((await run(args)).stdout) as { secret: string }).secret;
  // Lists of jobs and workers are not empty.
  await made('FAILED');
});
afterAll(async () => {
  await stopService(service);
  rmSync(folder, { recursive: true });
});

/** Gives an endpoint a release after another one. Returns the id of the endpoint. */
async function rolled(): Promise<string> {
  const endpoint = 'echo-http';
  const fields = JSON.stringify({ env: { AT: String(performance.now()) } });
  await run(['templates', 'update', `endpoint-${endpoint}`, '--fields', fields]);
  await eventually(`${endpoint} has an earlier release`, async () => {
    const { stdout } = await run(['releases', 'ls', endpoint]);
    return stdout.includes('SUPERSEDED') || undefined;
  });
  return endpoint;
}

/** Returns an id of the kind that an argument stands for, of a new job or template. */
async function made(kind: string): Promise<string> {
  if (kind === 'ROLLED') return rolled();
  if (kind === 'TEMPLATE') {
    const fields = JSON.stringify({ name: `chat-${performance.now()}`, imageName: 'team/chat:1.0' });
    const { stdout } = await run(['templates', 'create', '--fields', '-', '--json'], { input: fields });
    const template = JSON.parse(stdout) as { id: string };
    expect(problemsOf('management#Template', template)).toEqual([]);
    return template.id;
  }
  const input = kind === 'FAILED' ? { op: 'fail', message: 'It broke.' } : { op: 'sleep', ms: 600_000 };
  const id = String((await submit(service, JSON.stringify({ input }))).json.id);
  if (kind === 'FAILED') await jobIn(service, id, 'FAILED');
  return id;
}

const withIds = (args: readonly string[]) => Promise.all(args.map((arg) => (/^[A-Z]+$/.test(arg) ? made(arg) : arg)));

describe.each(callingCommands)('gpu-endpoints $name', ({ name, args, wrong, schema, shows }) => {
  const words = name.split(' ');

  it('answers people, and programs in the recorded form', async () => {
    const forPeople = await run([...words, ...(await withIds(args))]);
    expect(forPeople).toMatchObject({ code: 0 });
    expect(forPeople.stdout + forPeople.stderr).toContain(shows);
    const { code, stdout } = await run([...words, ...(await withIds(args)), '--json']);
    expect(code).toBe(0);
    const lines = stdout.trim().split('\n');
    for (const line of lines) expect(problemsOf(schema, JSON.parse(line))).toEqual([]);
  });

  it('says which name is wrong, that the key lacks the permission, and that no service is there', async () => {
    const calls = {
      limited: { GPU_ENDPOINTS_URL: service.JobApiUrl, GPU_ENDPOINTS_KEY: limitedKey },
      nowhere: { GPU_ENDPOINTS_URL: `http://127.0.0.1:${await freePort()}/v2`, GPU_ENDPOINTS_KEY: limitedKey },
    };
    if (wrong) {
      const [wrongArgs, message] = wrong;
      const { code, stderr } = await run([...words, ...wrongArgs]);
      expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    }
    const limited = await run([...words, ...args], { env: calls.limited });
    expect([limited.code, limited.stderr]).toEqual([1, expect.stringMatching(/\(UNAUTHORIZED, request [\w-]+\)/)]);
    const nowhere = await run([...words, ...args], { env: calls.nowhere });
    expect([nowhere.code, nowhere.stderr]).toEqual([
      1,
      expect.stringContaining('cannot be reached: connect ECONNREFUSED'),
    ]);
  });
});

describe('gpu-endpoints run', () => {
  it('waits for the output, and exits with 3 if there is none, with where the log is', async () => {
    const completed = await run(['run', 'echo', '--input', '-', '--wait'], { input: '{"text":"hello"}' });
    expect(completed).toMatchObject({ code: 0, stdout: '{\n  "text": "hello"\n}\n' });
    const failed = await run(['run', 'echo', '--input', '{"op":"fail","message":"It broke."}', '--wait']);
    expect(failed).toMatchObject({ code: 3, stdout: '' });
    expect(failed.stderr).toMatch(
      /is FAILED \(WORKER_ERROR\): It broke\.\nIts log: npx gpu-endpoints logs echo --job \w+\n$/,
    );
  });

  it('prints what the worker streams', async () => {
    const input = '{"op":"stream","chunks":3,"ms":10,"size":4}';
    const { code, stdout } = await run(['run', 'echo', '--input', input, '--stream', '--json']);
    expect(code).toBe(0);
    const chunks = stdout.trim().split('\n');
    expect(chunks).toHaveLength(3);
    for (const chunk of chunks) expect(problemsOf('jobs#Chunk', JSON.parse(chunk))).toEqual([]);
  });

  it('says on Ctrl-C that the job goes on', async () => {
    const input = '{"op":"sleep","ms":600000}';
    const { code, stderr } = await run(['run', 'echo', '--input', input, '--wait'], {
      interruptAt: 'IN_PROGRESS',
    });
    expect(code).toBe(130);
    const [, id = ''] =
      /(\w{36}) goes on\. Its state: npx gpu-endpoints jobs get \1 --endpoint echo\n/.exec(stderr) ?? [];
    expect((await run(['jobs', 'cancel', id])).stdout).toBe(`${id} is CANCELLED.\n`);
  });
});

describe('gpu-endpoints login', () => {
  it('stores a profile that only the user can read, and removes it', async () => {
    const env = {};
    const none = await run(['endpoints', 'ls'], { env });
    expect(none.stderr).toContain('No deployment is selected: choose a profile with --env, log in with');
    const stored = await run(['login', '--env', 'prod', '--url', service.JobApiUrl], {
      env,
      input: `${service.ApiKey}\n`,
    });
    expect(stored).toMatchObject({ code: 0, stdout: expect.stringContaining('with the key first, which may call') });
    expect(stored.stdout).not.toContain(service.ApiKey);
    expect(statSync(profiles).mode & 0o777).toBe(0o600);
    expect((await run(['endpoints', 'ls', '--env', 'prod'], { env })).stdout).toContain('echo-http');
    expect((await run(['endpoints', 'ls', '--env', 'production'], { env })).stderr).toContain(
      'There is no profile "production": log in with `npx gpu-endpoints login --env production --url URL`. There are prod.',
    );
    const url = service.JobApiUrl.replace('/v2', '');
    const profilesOutput = (await run(['profiles', '--json'], { env })).stdout;
    expect(parseOutput('profiles', profilesOutput)).toEqual({ profiles: [{ name: 'prod', url }] });
    const login = ['login', '--env', 'prod', '--url', service.JobApiUrl, '--json'];
    const again = (await run(login, { env: { GPU_ENDPOINTS_KEY: service.ApiKey } })).stdout;
    expect(parseOutput('login', again)).toMatchObject({ profile: 'prod', url, user: 'first', endpoints: ['*'] });
    expect(await run(['logout', '--env', 'prod'], { env })).toMatchObject({ code: 0 });
    expect((await run(['profiles'], { env })).stdout).toContain('There are no profiles');
  });

  it('stores nothing if the key is refused', async () => {
    const refused = await run(['login', '--url', service.JobApiUrl], { env: {}, input: newSecret(randomBytes(64)) });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('UNAUTHORIZED') });
    expect((await run(['profiles', '--json'], { env: {} })).stdout).toBe('{"profiles":[]}\n');
  });
});

describe('gpu-endpoints', () => {
  it('suggests the nearest command', async () => {
    expect(await run(['endpoint', 'ls'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Did you mean endpoints?'),
    });
  });

  it('completes commands and options in bash and zsh', async () => {
    for (const shell of ['bash', 'zsh']) expect((await run(['complete', shell])).stdout).toContain('gpu-endpoints');
    expect((await run(['complete', '--', 'jobs', ''])).stdout).toMatch(/^ls\t.*\nget\t/);
  });

  it('prints the address of the console', async () => {
    const { stdout } = await run(['open', '--json']);
    expect(parseOutput('open', stdout)).toEqual({ url: service.ConsoleUrl });
  });
});

describe('gpu-endpoints mcp', () => {
  async function connected(...args: readonly string[]): Promise<Client> {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const env = { PATH: String(process.env.PATH), HOME: folder, LOCAL_STATE_DIR: service.stateDir };
    const program = resolve('bin/cli.ts');
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, 'mcp', ...args], env }));
    return client;
  }
  const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
  async function answerOf(client: Client, name: string, given: Record<string, unknown>) {
    const { content, isError = false } = await client.callTool({ name, arguments: given });
    const [first] = content as readonly { text: string }[];
    return { isError, text: first?.text ?? '' };
  }

  it('lets assistants read, and run jobs only if the user allows it', async () => {
    const reader = await connected();
    const read = await namesOf(reader);
    expect(read).toContain('get_endpoint');
    expect(read.filter((name) => /run|cancel|retry/.test(name))).toEqual([]);
    const endpoint = JSON.parse((await answerOf(reader, 'get_endpoint', { endpoint: 'echo' })).text) as unknown;
    expect(problemsOf('management#EndpointDetails', endpoint)).toEqual([]);
    expect(await answerOf(reader, 'get_endpoint', { endpoint: 'ech' })).toEqual({
      isError: true,
      text: expect.stringContaining('Did you mean echo?'),
    });
    await reader.close();

    const writer = await connected('--allow', 'write');
    const ran = JSON.parse((await answerOf(writer, 'run_job', { endpoint: 'echo', input: { op: 'fail' } })).text) as {
      id: string;
    };
    expect(problemsOf('jobs#JobRecord', ran)).toEqual([]);
    const log = await answerOf(writer, 'get_job_log', { endpoint: 'echo', job: ran.id });
    expect(problemsOf('jobs#JobLog', JSON.parse(log.text))).toEqual([]);
    await writer.close();
  });
});
