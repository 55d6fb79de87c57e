/** Runs `npx gpu-endpoints worker` beside a running service, as an author of workers does. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedAssembly } from './assembly.ts';
import { attach } from './attached.ts';
import {
  call,
  eventually,
  holdingFile,
  isRunning,
  jobIn,
  type LocalService,
  newStateDir,
  readStatus,
  startService,
  stopService,
  submit,
} from './local-service.ts';

let service: LocalService;
const stateDir = newStateDir();

beforeAll(async () => {
  service = await startService(stateDir, { args: ['--assembly', await sharedAssembly()] });
}, 120_000);
afterAll(async () => {
  await stopService(service);
});

describe('npx gpu-endpoints worker', () => {
  const run = (endpoint: string, ...command: string[]) => attach(stateDir, ['--endpoint', endpoint, '--', ...command]);
  const statusOf = async (id: unknown, endpoint: string) => (await readStatus(service, id, endpoint)).json;

  /** Takes one job as docs/guides/workers.md describes, and then runs the rest of the script. */
  const takeOne = (rest: string) =>
    `job=; while [ -z "$job" ]; do job=$(curl -s "$RUNPOD_WEBHOOK_GET_JOB"); done; ${rest}`;

  it('passes the jobs of an endpoint to a command, which can finish them', async () => {
    const attached = run('echo', process.execPath, 'examples/echo/main.ts');
    const workerId = await attached.worker();
    // Workers of the endpoint's own image yield to this one.
    const alone = async () => {
      const { workers } = (await call(service, 'GET', `${service.JobApiUrl}/echo/health`)).json;
      return (workers as { ready: number }).ready === 1 || undefined;
    };
    await eventually('it is the only worker', alone);
    const { until, release } = holdingFile();
    const { json } = await submit(service, JSON.stringify({ input: { op: 'stream', chunks: 10, size: 20, until } }));
    // If the agent stops before its command has the job, it requeues the job. The stream shows that the command
    // has it.
    await eventually('the command has the job', async () => {
      const { text } = await call(service, 'GET', `${service.JobApiUrl}/echo/stream/${json.id}`);
      return (JSON.parse(text) as unknown[])[0];
    });
    expect(await statusOf(json.id, 'echo')).toMatchObject({ status: 'IN_PROGRESS', workerId, attempts: 1 });
    await attached.interrupt();
    release();
    expect(await attached.ended).toBe(0);
    expect(await statusOf(json.id, 'echo')).toMatchObject({ status: 'COMPLETED', workerId, attempts: 1 });
    expect(attached.printed()).toContain('The command exited with exit code 0.');
  });

  it("calls a command that is an HTTP server on the port of the endpoint's image", async () => {
    const attached = run('echo-http', process.execPath, 'examples/http/server.mjs');
    const workerId = await attached.worker();
    const url = `${service.JobApiUrl}/echo-http/runsync?wait=60000`;
    const input = '{"big":12345678901234567890}';
    const { json, text } = await call(service, 'POST', url, { body: `{"input":${input}}` });
    expect(json).toMatchObject({ status: 'COMPLETED', workerId });
    expect(text).toContain(`"output":${input}`);
    await attached.interrupt();
    expect(await attached.ended).toBe(0);
  });

  it("prints the exit code of a command that ran with the worker's role, and another worker takes its job", async () => {
    const script = takeOne('echo "I am $AWS_ACCESS_KEY_ID, not $AWS_PROFILE."; exit 7');
    const { json } = await submit(service, '{"input":{}}', 'echo-sdk');
    const attached = run('echo-sdk', 'sh', '-c', script);
    expect(await attached.ended).toBe(7);
    expect(attached.printed()).toContain('The command exited with exit code 7.');
    expect(attached.printed()).toMatch(/I am Endpoint-echo-sdk\S+, not \./);
    expect((await jobIn(service, json.id, 'COMPLETED', 60_000, 'echo-sdk')).json.attempts).toBe(2);
  });

  it.each(['after a second Ctrl-C', 'when it is killed'])(
    'exits immediately %s, with all processes that it started',
    async (how) => {
      const attached = run('echo-sdk', 'sh', '-c', `trap "" TERM; ${takeOne('echo "$$ has it"; sleep 300; true')}`);
      await attached.worker();
      const { json } = await submit(service, '{"input":{}}', 'echo-sdk');
      const pid = Number(await eventually('a job', () => /(\d+) has it/.exec(attached.printed())?.[1]));
      await attached.interrupt();
      if (how === 'after a second Ctrl-C') await attached.interrupt();
      else attached.kill();
      expect(await attached.ended).toBe(how === 'after a second Ctrl-C' ? 130 : null);
      await eventually('the command is gone', () => !isRunning(pid) || undefined);
      expect((await jobIn(service, json.id, 'COMPLETED', 60_000, 'echo-sdk')).json.attempts).toBe(2);
    },
  );

  it.each([
    ['nowhere', '--endpoint takes echo, echo-http or echo-sdk, got "nowhere".', 1],
    ['echo', 'The command could not be started: spawn no-such-program ENOENT.', 127],
  ])('prints the error of --endpoint %s with a command that does not exist', async (endpoint, sentence, code) => {
    const attached = run(endpoint, 'no-such-program');
    expect(await attached.ended).toBe(code);
    expect(attached.printed()).toContain(sentence);
  });

  it('reports that npm start is not running', async () => {
    const attached = attach(join(stateDir, 'none'), ['--endpoint', 'echo', '--', 'true']);
    expect(await attached.ended).toBe(1);
    expect(attached.printed()).toBe('`npm start` is not running: start it in another terminal.\n');
  });
});
