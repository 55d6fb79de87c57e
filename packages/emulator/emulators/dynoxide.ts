/**
 * DynamoDB on this machine: the dynoxide binary with one database file. It survives kill -9 without losing a write.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { LocalError } from '../local-error.ts';
import { freePort, listening, randomLoopback } from '../network/ports.ts';

export interface TableEmulator {
  readonly url: string;
  readonly process: ChildProcess;
}

/** Name of the database file in the state directory. */
export const DATABASE = 'dynamodb.db';

/** All requests share one connection to the database, so several threads mostly wait for each other. */
const ENVIRONMENT = { TOKIO_WORKER_THREADS: '1' };

const START_LIMIT = 5_000;
/** Maximum number of attempts to start the binary: another process can take its port before the binary does. */
const TRIES = 3;

function manifest(): string {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  try {
    return createRequire(import.meta.url).resolve(`${name}/package.json`);
  } catch (cause) {
    throw new LocalError(`The DynamoDB emulator is missing: the package ${name} is not installed here.`, { cause });
  }
}

/**
 * Returns the path of the binary.
 * @throws LocalError if it is not installed or not built for this machine
 */
export const dynoxideBinary = (): string => join(dirname(manifest()), 'dynoxide');

export const dynoxideVersion = (): string => JSON.parse(readFileSync(manifest(), 'utf8')).version;

/**
 * Starts the emulator. It checks no signature and permits every web page to call it, so it listens on an address that
 * only the caller knows. Other users of the machine can still see the address in the list of processes.
 */
export async function startDynoxide(file: string): Promise<TableEmulator> {
  const binary = dynoxideBinary();
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const host = randomLoopback();
    const port = await freePort(undefined, host);
    const args = ['serve', '--host', host, '--port', String(port), '--db-path', file];
    const child = spawn(binary, args, {
      env: { ...process.env, ...ENVIRONMENT },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    await once(child, 'spawn');
    const given = new AbortController();
    child.once('exit', () => given.abort());
    const limit = AbortSignal.any([given.signal, AbortSignal.timeout(START_LIMIT)]);
    if ((await listening(port, limit, host)) && child.exitCode === null)
      return { url: `http://${host}:${port}`, process: child };
    child.kill('SIGKILL');
  }
  throw new LocalError(`The DynamoDB emulator did not start on ${file}; see logs/emulators.log.`);
}
