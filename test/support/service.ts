/** Runs `npm start` as a separate process, with a state directory that is removed afterwards. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../packages/emulator/network/ports.ts';
import { startCommand } from './start-command.ts';

export interface Service {
  /** Id of its process. */
  readonly pid: number;
  /** Folder of its data, logs and outputs. */
  readonly stateDir: string;
  /** Milliseconds from the start of the process until the service was ready. */
  readonly readyAfter: number;
  /** URL of its inspector, if an argument of Node.js opened it. */
  readonly inspectorUrl: string | undefined;
  readonly jobApiUrl: string;
  readonly apiKey: string;
  /** Opens the console, and signs in. */
  readonly consoleUrl: string;
  /** File with one line of JSON for every AWS call. */
  readonly callLog: string;
  /** Folder of the synthesized stacks that the service runs. */
  readonly assembly: string;
  /** Variables with which an AWS SDK calls the emulated AWS as an operator. */
  readonly awsEnvironment: Readonly<Record<string, string>>;
  /** Outputs of the storage stack: the names of its tables, by their names in CloudFormation. */
  readonly storage: Readonly<Record<string, unknown>>;
  stop(): Promise<void>;
}

interface Outputs {
  readonly Platform: Readonly<Record<'JobApiUrl' | 'ApiKey' | 'ConsoleUrl', string>> & {
    readonly AwsEnvironment: Service['awsEnvironment'];
  };
  readonly Storage: Service['storage'];
}

const repository = dirname(dirname(import.meta.dirname));
/** Time limit of the synthesis and the start on a busy machine, in milliseconds. */
const START_LIMIT = 120_000;
/** Milliseconds between two checks whether the service is ready. */
const READY_PERIOD = 10;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface StartOptions {
  /** Arguments of Node.js, such as `--inspect=127.0.0.1:0`. */
  readonly nodeArguments?: readonly string[];
  /**
   * State directory, which is not removed, so that another start continues with its data.
   * @default - a new one, which is removed when the service stops
   */
  readonly stateDir?: string;
  /**
   * Whether the service writes the call log, for which the proxy reads every request and response.
   * @default true
   */
  readonly isLogged?: boolean;
  /** Variables of the service that override those of this module. */
  readonly environment?: NodeJS.ProcessEnv;
}

export const isPortFree = async (port: number): Promise<boolean> => (await freePort(port)) === port;

/** Returns a port that is free now, for several starts on the same port. */
export const newPort = (): Promise<number> => freePort();

/** Creates an empty state directory. */
export const newStateDir = (): string => mkdtempSync(join(tmpdir(), 'gpu-endpoints-bench-'));

/**
 * @param assembly synthesized stacks to run; by default, the stacks of this repository are synthesized
 * @throws if the service exits before it is ready
 */
export async function startService(assembly?: string, options: StartOptions = {}): Promise<Service> {
  const { nodeArguments = [], stateDir = newStateDir(), isLogged = true, environment } = options;
  const outputs = join(stateDir, 'outputs.json');
  // A killed service leaves this file, which means that the service is ready.
  rmSync(outputs, { force: true });
  const callLog = join(stateDir, 'calls.jsonl');
  const command = startCommand(repository);
  const args = [...nodeArguments, ...command.args, ...(assembly === undefined ? [] : ['--assembly', assembly])];
  const begin = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: repository,
    env: {
      ...process.env,
      ...command.environment,
      PORT: String(await freePort()),
      LOCAL_STATE_DIR: stateDir,
      ...(isLogged && { LOCAL_CALL_LOG: callLog }),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // The signal of Ctrl-C is not sent to the child. This process stops the child, because a second signal would
    // kill it.
    detached: true,
  });
  const ended = once(child, 'exit');
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed += String(chunk);
    });

  async function stop(): Promise<void> {
    for (const signal of SIGNALS) process.removeListener(signal, abort);
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await ended;
    }
    if (options.stateDir === undefined) rmSync(stateDir, { recursive: true, force: true });
  }

  function abort(): void {
    void stop().finally(() => process.exit(1));
  }
  for (const signal of SIGNALS) process.once(signal, abort);

  for (const deadline = Date.now() + START_LIMIT; !existsSync(outputs); await delay(READY_PERIOD)) {
    if (child.exitCode === null && Date.now() < deadline) continue;
    await stop();
    throw new Error(`The service did not start:\n${printed}`);
  }
  const readyAfter = performance.now() - begin;
  const { Platform, Storage } = JSON.parse(readFileSync(outputs, 'utf8')) as Outputs;
  const service: Service = {
    pid: child.pid ?? 0,
    stateDir,
    readyAfter,
    inspectorUrl: /Debugger listening on (ws:\S+)/.exec(printed)?.[1],
    jobApiUrl: Platform.JobApiUrl,
    apiKey: Platform.ApiKey,
    consoleUrl: Platform.ConsoleUrl,
    callLog,
    assembly: assembly ?? join(stateDir, 'assembly'),
    awsEnvironment: Platform.AwsEnvironment,
    storage: Storage,
    stop,
  };
  return service;
}
