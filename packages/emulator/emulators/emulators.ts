import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import type { EmulatorAddresses } from '../account.ts';
import { LocalError } from '../local-error.ts';
import { runMark } from '../state/processes.ts';
import type { StreamJournal } from '../streams/journal.ts';
import { DATABASE, dynoxideBinary } from './dynoxide.ts';

/** The first message from the process of the emulators. */
export type EmulatorsReport = EmulatorAddresses | { readonly failure: string };

type JournalCall =
  | { readonly trim: Parameters<StreamJournal['trim']> }
  | { readonly announceExpiry: Parameters<StreamJournal['announceExpiry']> };

export interface JournalRequest {
  readonly id: number;
  readonly call: JournalCall;
}

export interface JournalAnswer {
  readonly id: number;
  readonly error?: string;
}

/** The journal of the streams, called from another process. */
export type RemoteStreamJournal = Omit<StreamJournal, 'close'>;

export interface Emulators extends EmulatorAddresses {
  readonly streamJournal: RemoteStreamJournal;
  /** Path of the database file of all tables. */
  readonly database: string;
  /** Path of a file that changes when a table changes. */
  readonly tableChanges: string;
  /** Resolves with an error when the emulators have exited, even after `stop`. */
  readonly died: Promise<LocalError>;
  stop(): Promise<void>;
}

/** The program has the extension of this file, which is compiled in an installed package. */
const script = join(import.meta.dirname, `emulators-process${extname(import.meta.filename)}`);

/**
 * Starts the process in a separate process group. Ctrl-C in a terminal goes to the whole foreground group, and the
 * emulators must outlive the tasks that drain. The process gets no flags of this process, which can be a test
 * runner. Its flag and `MALLOC_ARENA_MAX` limit its memory, see docs/explanation/laptop-performance.md.
 */
function forkEmulators(stateDir: string, compileCache: string | undefined): ChildProcess {
  const log = openSync(join(stateDir, 'logs', 'emulators.log'), 'a', 0o600);
  try {
    return fork(script, [stateDir], {
      detached: true,
      execArgv: ['--max-semi-space-size=2'],
      env: {
        ...process.env,
        ...runMark(stateDir, process.pid),
        MALLOC_ARENA_MAX: '2',
        ...(compileCache !== undefined && { NODE_COMPILE_CACHE: compileCache }),
      },
      stdio: ['ignore', log, log, 'ipc'],
    });
  } finally {
    closeSync(log);
  }
}

function remoteJournal(child: ChildProcess, ended: Promise<unknown>): RemoteStreamJournal {
  const waiting = new Map<number, (answer: JournalAnswer) => void>();
  let calls = 0;
  child.on('message', (answer: JournalAnswer) => {
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  async function perform(call: JournalCall): Promise<void> {
    calls += 1;
    const request: JournalRequest = { id: calls, call };
    const { promise, resolve } = Promise.withResolvers<JournalAnswer>();
    waiting.set(request.id, resolve);
    child.send(request, (failure) => failure && resolve({ id: request.id, error: failure.message }));
    const answer = await Promise.race([promise, ended.then(() => ({ error: 'The emulators have stopped.' }))]);
    if (answer.error !== undefined) throw new Error(answer.error);
  }
  return {
    trim: (...args) => perform({ trim: args }),
    announceExpiry: (...args) => perform({ announceExpiry: args }),
  };
}

/**
 * Starts DynamoDB, SQS and S3 with the data of the directory, in one child process.
 * @param compileCache folder of the compile cache of Node.js; by default, none
 * @throws LocalError if they cannot start
 */
export async function startEmulators(directory: string, compileCache?: string): Promise<Emulators> {
  dynoxideBinary();
  const stateDir = resolve(directory);
  mkdirSync(join(stateDir, 'logs'), { recursive: true });
  mkdirSync(join(stateDir, 'sqs'), { recursive: true });
  const child = forkEmulators(stateDir, compileCache);
  const ended = once(child, 'exit').then(() => undefined);
  const log = join(stateDir, 'logs', 'emulators.log');

  const report = await Promise.race([once(child, 'message').then(([message]) => message as EmulatorsReport), ended]);
  if (!report) throw new LocalError(`The emulators exited during their start; see ${log}.`);
  if ('failure' in report) throw new LocalError(report.failure);

  return {
    ...report,
    streamJournal: remoteJournal(child, ended),
    database: join(stateDir, DATABASE),
    tableChanges: join(stateDir, `${DATABASE}-wal`),
    died: ended.then(() => new LocalError(`The emulators exited; see ${log}.`)),
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
