/**
 * Installs and runs the AWS emulator, which has a CloudFormation engine: MiniStack, in a separate virtual
 * environment.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runs, succeeds } from '../../../test/support/running.ts';
import { withoutAws } from '../../../test/support/without-aws.ts';
import { freePort } from '../../emulator/network/ports.ts';

const HOST = '127.0.0.1';
export const REGION = 'us-east-1';
/** Milliseconds until the emulator must have started, even on a busy machine. */
const START_LIMIT = 60_000;
const STOP_LIMIT = 10_000;
const TURN = 100;

const requirements = join(import.meta.dirname, 'requirements.txt');

/** Thrown with the reason why this machine cannot run the emulator. */
export class NoEmulator extends Error {
  override readonly name = 'NoEmulator';
}

function versionOf(file: string): string {
  const version = /^ministack==(.+)$/m.exec(readFileSync(file, 'utf8'))?.[1];
  if (version === undefined) throw new Error(`${file} must pin a version of ministack.`);
  return version;
}

/**
 * Installs the emulator unless an earlier run has installed it.
 * @param cache folder of virtual environments
 * @returns the path of the emulator's program
 * @throws NoEmulator if Python or the package index is missing
 */
export async function installEmulator(cache: string, repository: string): Promise<string> {
  const folder = join(cache, `ministack-${versionOf(requirements)}`);
  const program = join(folder, 'bin', 'ministack');
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return program;
  const running = { cwd: repository, env: process.env };
  const python = await runs('python3', ['-c', 'import venv, ensurepip'], running);
  if (python.code !== 0) throw new NoEmulator('Python 3 with venv is missing');
  try {
    await succeeds('python3', ['-m', 'venv', '--clear', folder], running);
    const quiet = ['--quiet', '--disable-pip-version-check', '--retries', '1'];
    await succeeds(join(folder, 'bin', 'pip'), ['install', ...quiet, '-r', requirements], running);
    writeFileSync(complete, '');
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw new NoEmulator(`the emulator cannot be installed: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
  return program;
}

export interface Emulator {
  /** Address of all emulated services. */
  readonly url: string;
  /** Path of the file with the emulator's output. */
  readonly log: string;
  /** Stops the emulator and the functions that it runs. */
  stop(): Promise<void>;
}

/** Settings of the emulator. Services that would listen on other ports are disabled. */
const settings = (port: number, folder: string): NodeJS.ProcessEnv => ({
  BIND_HOST: HOST,
  MINISTACK_HOST: HOST,
  GATEWAY_PORT: `${port}`,
  MINISTACK_REGION: REGION,
  SFTP_ENABLED: '0',
  IOT_MTLS_ENABLED: '0',
  LAMBDA_EXECUTOR: 'local',
  PERSIST_STATE: '0',
  STATE_DIR: join(folder, 'state'),
  TMPDIR: folder,
});

/** Kills the process group of the emulator, so that none of its processes keeps running. */
function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // The processes have already exited.
  }
}

/**
 * Starts the emulator.
 * @param folder existing folder for its files
 * @throws Error if it does not answer in time
 */
export async function startEmulator(program: string, folder: string): Promise<Emulator> {
  const port = await freePort();
  const url = `http://${HOST}:${port}`;
  const log = join(folder, 'emulator.log');
  const output = openSync(log, 'a');
  const env = {
    ...withoutAws(process.env),
    ...settings(port, folder),
    // The emulator runs functions with the `node` in PATH.
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    NODE_OPTIONS: `--import=${new URL('lambda-streaming.ts', import.meta.url)}`,
  };
  const child = spawn(program, [], { cwd: folder, env, stdio: ['ignore', output, output], detached: true });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve()));
  const isEnded = () => child.exitCode !== null || child.signalCode !== null;

  const stop = async () => {
    endGroup(child, 'SIGTERM');
    await Promise.race([ended, sleep(STOP_LIMIT, undefined, { ref: false })]);
    endGroup(child, 'SIGKILL');
  };
  for (const until = Date.now() + START_LIMIT; Date.now() < until && !isEnded(); await sleep(TURN))
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return { url, log, stop };
  await stop();
  throw new Error(`The emulator did not start:\n${readFileSync(log, 'utf8').slice(-2000)}`);
}
