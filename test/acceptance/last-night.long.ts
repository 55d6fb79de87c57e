/**
 * Asks the questions of the next morning by the command line and by HTTP, of a service whose history has a bad night.
 * With `TRANSCRIPT`, the questions and answers are written to this file.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY, HOUR, MINUTE } from '../../core/limits.ts';
import { sharedAssembly } from './assembly.ts';
import { runBinary } from './command-line/binary.ts';
import { night, prepareWeek, type TableNames } from './last-night/prepare.ts';
import {
  call,
  eventually,
  type LocalService,
  newStateDir,
  startService,
  stopService,
  submit,
} from './local-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-night-'));
const transcript: string[] = [];
let service: LocalService;

const MAX_ANSWER = 900;

const hoursAgo = (hours: number) => `${new Date(Date.now() - hours * HOUR).toISOString().slice(0, 16)}Z`;

/** Runs a command, and returns what it printed. */
async function command(...args: readonly string[]): Promise<string> {
  const env = { LOCAL_STATE_DIR: service.stateDir };
  const { code, stdout, stderr } = await runBinary(args, { folder, env });
  const shown = args.map((arg) => (/[^\w:.,/-]/.test(arg) ? `'${arg}'` : arg)).join(' ');
  transcript.push(['```console', `$ npx gpu-endpoints ${shown}`, (stdout + stderr).trimEnd(), '```', ''].join('\n'));
  expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' });
  return stdout + stderr;
}

/** Calls the management interface by curl. */
async function curl(path: string): Promise<string> {
  const header = `Authorization: Bearer ${service.ApiKey}`;
  const { stdout } = await promisify(execFile)('curl', ['-s', '-H', header, `${service.ManagementApiUrl}${path}`]);
  const answer = stdout.length > MAX_ANSWER ? `${stdout.slice(0, MAX_ANSWER)}…` : stdout;
  const line = `$ curl -s -H "Authorization: Bearer $GPU_ENDPOINTS_KEY" "$MANAGEMENT_URL${path}"`;
  transcript.push(['```console', line, answer, '```', ''].join('\n'));
  expect(() => JSON.parse(stdout)).not.toThrow();
  return stdout;
}

const asks = (question: string, ask: () => Promise<void>) =>
  it(question, async () => {
    transcript.push(`## ${question}\n`);
    await ask();
  });

beforeAll(async () => {
  service = await startService(newStateDir(), { args: ['--assembly', await sharedAssembly()] });
  const { Platform: outputs } = JSON.parse(readFileSync(join(service.stateDir, 'outputs.json'), 'utf8')) as {
    Platform: TableNames & { AwsEnvironment: unknown };
  };
  Object.assign(process.env, outputs.AwsEnvironment);
  await prepareWeek(outputs, Date.now());
  for (let n = 0; n < 5; n += 1) await submit(service, JSON.stringify({ input: { op: 'sleep', ms: 600_000 } }));
  await eventually('three jobs run', async () => {
    const { json } = await call(service, 'GET', `${service.JobApiUrl}/echo/health`);
    return (json.jobs as { inProgress: number }).inProgress === 3 || undefined;
  });
}, 5 * MINUTE);

afterAll(async () => {
  await stopService(service);
  const { TRANSCRIPT } = process.env;
  if (TRANSCRIPT) writeFileSync(TRANSCRIPT, transcript.join('\n'));
});

describe('the questions of the next morning', () => {
  asks('What failed last night, and why?', async () => {
    const groups = await command('jobs', 'ls', '--since', '12h', '--failed', '--group-by', 'error');
    expect(groups).toMatch(/ 12 +echo .* WORKER_ERROR +CUDA out of memory/);
    expect(await curl(`/endpoints/echo/failures?since=${hoursAgo(12)}`)).toContain('"count":12');
  });

  asks('Since when, on which worker, in which release, with which key?', async () => {
    const listed = await command('jobs', 'ls', '--since', '12h', '--failed', '--limit', '3');
    expect(listed).toContain('CUDA out of memory');
    const { failures } = JSON.parse(await curl(`/endpoints/echo/failures?since=${hoursAgo(12)}`));
    expect(failures[0]).toMatchObject({
      workers: [{ worker: night.worker, count: night.failed }],
      releases: [{ revision: night.revision, count: night.failed }],
    });
    expect(await command('jobs', 'ls', 'echo', '--since', '12h', '--failed', '--worker', night.worker)).toContain(
      'FAILED',
    );
    expect(await command('jobs', 'ls', 'echo', '--since', '12h', '--failed', '--key', night.key)).toContain('FAILED');
    const { jobs } = JSON.parse(await curl(`/jobs?endpoint=echo&status=FAILED&since=${hoursAgo(12)}&limit=1`));
    expect(jobs[0]).toMatchObject({ worker: night.worker, revision: night.revision, key: night.key });
    expect(await command('workers', 'ls', 'echo', '--all', '--since', '12h')).toContain(night.worker);
  });

  asks('What was the p95 over 7 days?', async () => {
    expect(await command('endpoints', 'series', 'echo', '--since', '7d', '--step', 'day')).toMatch(/P95|p95/);
    const { total } = JSON.parse(await curl(`/endpoints/echo/series?since=${hoursAgo(7 * 24)}&step=day`));
    expect(total.executionTime.p95).toBeGreaterThan(36_000);
    expect(total.executionTime.p95).toBeLessThan(44_000);
  });

  asks('What did each endpoint cost yesterday?', async () => {
    const yesterday = new Date(Date.now() - DAY).toISOString().slice(0, 10);
    const today = new Date().toISOString().slice(0, 10);
    expect(await command('cost', 'actual', '--since', yesterday, '--until', today, '--by', 'endpoint,key')).toContain(
      '$',
    );
    const { costs } = JSON.parse(await curl(`/costs?since=${yesterday}&until=${today}&by=endpoint`));
    const [first] = costs;
    expect(first).toMatchObject({ endpoint: 'echo' });
    // A worker of $1.212 an hour lived for three hours.
    expect(first.dollars.total).toBeGreaterThan(3 * 1.212 - 0.05);
  });

  asks('What runs, and why does it wait?', async () => {
    expect(await command('endpoints', 'ls')).toContain('echo');
    expect(await command('endpoints', 'get', 'echo')).toMatch(/^Jobs +2 waiting, 3 running/m);
    const jobs = await command('jobs', 'ls', 'echo');
    expect(jobs).toMatch(/IN_PROGRESS/);
    expect(jobs).toMatch(/IN_QUEUE .* WORKERS_BUSY/);
    expect(await curl('/endpoints/echo')).toContain('"health"');
  });

  asks('Who changed it?', async () => {
    expect(await command('endpoints', 'events', 'echo', '--since', '12h')).toMatch(/TEMPLATE .*imageName.* key ci/);
    expect(await curl(`/endpoints/echo/events?since=${hoursAgo(12)}&kind=TEMPLATE`)).toContain('"name":"ci"');
  });

  asks('Was anybody paged?', async () => {
    expect(await command('alarms', 'ls', '--all')).toContain('ALARM');
    expect(await curl('/alarms')).toContain('alarms');
  });
});
