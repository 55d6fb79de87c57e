/** Runs `npm start` as a user does: as a process with a port, a state directory, and HTTP. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../bin/verify/eventually.ts';
import { freePort } from '../../packages/emulator/network/ports.ts';

export { eventually };

/** Milliseconds of synthesis and start on a busy machine. */
const START_LIMIT = 110_000;

export interface Outputs {
  readonly JobApiUrl: string;
  readonly ManagementApiUrl: string;
  readonly ConsoleUrl: string;
  readonly ApiKey: string;
}

export interface LocalService extends Outputs {
  readonly stateDir: string;
  readonly process: ChildProcess;
  /** Returns the output of the process so far. */
  printed(): string;
}

export const newStateDir = (): string => mkdtempSync(join(tmpdir(), 'gpu-endpoints-acceptance-'));

/**
 * Starts the process without waiting for it to be ready.
 * @param folder folder of the repository.
 * @default - this repository
 */
export function launch(
  stateDir: string,
  port: number,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  folder?: string,
  program: readonly string[] = ['bin/start/main.mjs'],
): LocalService['process'] {
  return spawn(process.execPath, [...program, ...args], {
    cwd: folder,
    env: {
      ...process.env,
      ...(folder && { DECLARATIONS: folder }),
      PORT: String(port),
      LOCAL_STATE_DIR: stateDir,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Records what the process prints after this call. The returned function returns the output so far. */
export function record(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += String(chunk)));
  return () => text;
}

export interface StartOptions {
  readonly args?: readonly string[];
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Folder of the repository.
   * @default - this repository
   */
  readonly folder?: string;
  /**
   * Program that starts the service, relative to the folder, and its first arguments.
   * @default - that of `npm start`
   */
  readonly program?: readonly string[];
}

/** Starts the service and waits until it is ready. */
export async function startService(
  stateDir: string,
  { args = [], port, env, folder, program }: StartOptions = {},
): Promise<LocalService> {
  // Removes the outputs file that a killed run left behind.
  const file = join(stateDir, 'outputs.json');
  rmSync(file, { force: true });
  const child = launch(stateDir, port ?? (await freePort()), args, env, folder, program);
  const printed = record(child);
  const look = () => {
    if (child.exitCode !== null) throw new Error(`npm start exited with ${child.exitCode}:\n${printed()}`);
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { Platform: Outputs }) : undefined;
  };
  const outputs = await eventually('the service is ready', look, { within: START_LIMIT }).catch((error: unknown) => {
    // No test would stop this process otherwise.
    child.kill();
    throw error;
  });
  return { ...outputs.Platform, stateDir, process: child, printed };
}

/** Sends Ctrl-C and waits until the process has exited. */
export async function stopService({ process: child }: LocalService): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await ended;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Empty for an answer that is no JSON. */
  readonly json: Record<string, unknown>;
}

/** Sends a request with the service's key, unless `headers` replace it. */
export async function call(
  service: Pick<Outputs, 'ApiKey'>,
  method: string,
  url: string,
  { body, headers }: { body?: string | undefined; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    body: body ?? null,
    headers: headers ?? { Authorization: `Bearer ${service.ApiKey}` },
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const json = (isJson ? JSON.parse(text) : {}) as Answer['json'];
  return { status: response.status, headers: response.headers, text, json };
}

export const submit = (service: LocalService, body: string, endpoint = 'echo'): Promise<Answer> =>
  call(service, 'POST', `${service.JobApiUrl}/${endpoint}/run`, { body });

/**
 * Returns a file that a job of the example worker waits for, so that a test can see the job run. `release` writes the
 * file.
 */
export function holdingFile(): { until: string; release: () => void } {
  const until = join(mkdtempSync(join(tmpdir(), 'held-')), 'released');
  return { until, release: () => writeFileSync(until, '') };
}

export const readStatus = (service: LocalService, id: unknown, endpoint = 'echo'): Promise<Answer> =>
  call(service, 'GET', `${service.JobApiUrl}/${endpoint}/status/${id}`);

/** Polls the job until it has the status. */
export const jobIn = (
  service: LocalService,
  id: unknown,
  status: string,
  within = 60_000,
  endpoint = 'echo',
): Promise<Answer> =>
  eventually(
    `job ${id} is ${status}`,
    async () => {
      const answer = await readStatus(service, id, endpoint);
      return answer.json.status === status ? answer : undefined;
    },
    { within },
  );

/** Returns the ids of the process's children, or an empty string if it has exited. */
function childrenOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  } catch {
    return '';
  }
}

/** Returns the ids of all descendants of the process. Parents precede their children. */
export function descendants(pid: number): number[] {
  const children = childrenOf(pid).trim().split(' ').filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

export const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}`);
