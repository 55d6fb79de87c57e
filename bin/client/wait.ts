/** Waits for jobs that exist: for their end, or for what their workers stream. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { Option } from 'commander';
import { CallFailed, call, segment } from './call.ts';
import { untilInterrupted } from './interrupt.ts';
import { codeOf, hasEnded, type JobRecord, lineOf, printFailure, printOutput } from './job.ts';
import { type NextSteps, nextSteps } from './next-steps.ts';
import type { CommonOptions } from './options.ts';
import { persistently } from './persistently.ts';
import { printJson } from './print.ts';
import { createProgress } from './progress.ts';
import type { Service } from './service.ts';

/** Milliseconds for which one call waits for the end of the job, between two lines of progress. */
const LOOK = 3_000;

/** Milliseconds between two calls with a key that may not wait for the end. */
const POLL_PAUSE = 1_000;

/** Milliseconds after which a read without an answer counts as a lost connection. */
const READ_LIMIT = 60_000;

/** Milliseconds between two reads of a stream. */
const STREAM_PAUSE = 300;

export interface WaitOptions extends CommonOptions {
  readonly wait?: boolean;
  readonly stream?: boolean;
}

/** A job that the service has. */
export interface KnownJob {
  readonly service: Service;
  readonly endpoint: string;
  readonly id: string;
}

/** Adds `--wait`. */
export const withWait = (command: Command): Command =>
  command.addOption(
    new Option('--wait', 'wait for the end, show where the job is, and print its output').conflicts('stream'),
  );

/** Adds `--wait` and `--stream`. */
export const withWaitOrStream = (command: Command): Command =>
  withWait(command).option('--stream', 'print what the worker streams, until the job ends');

const read = <Answer>(
  { service, endpoint, id }: KnownJob,
  operation: string,
  query: Record<string, number>,
  signal: AbortSignal,
): Promise<Answer> =>
  call(service, 'jobs', 'GET', `/${segment(endpoint)}/${operation}/${segment(id)}`, {
    query,
    signal: AbortSignal.any([signal, AbortSignal.timeout(READ_LIMIT)]),
  });

/** Returns a read of the job that takes as long as `LOOK`, or is repeated after a pause if the key may only poll. */
function createReader(job: KnownJob, signal: AbortSignal): () => Promise<JobRecord> {
  let mayWait = true;
  return async () => {
    if (!mayWait) {
      await pause(POLL_PAUSE, undefined, { signal });
      return read(job, 'status', {}, signal);
    }
    try {
      return await read(job, 'status-sync', { wait: LOOK }, signal);
    } catch (error) {
      if (!(error instanceof CallFailed && error.code === 'UNAUTHORIZED')) throw error;
      mayWait = false;
      return read(job, 'status', {}, signal);
    }
  };
}

/** Waits for the end of a job, and shows where it is. */
async function untilEnd(job: KnownJob, signal: AbortSignal): Promise<JobRecord> {
  const progress = createProgress();
  const pauseFor = (milliseconds: number) => {
    progress.show(`No connection. The next attempt is in ${milliseconds / 1000} s.`, 'no connection');
    return pause(milliseconds, undefined, { signal });
  };
  const look = createReader(job, signal);
  try {
    for (;;) {
      const record = await persistently(look, pauseFor);
      if (hasEnded(record)) return record;
      progress.show(lineOf(record), `${record.status} ${record.waitReason ?? ''}`);
    }
  } finally {
    progress.end();
  }
}

interface Chunk {
  readonly output: unknown;
}

/** Returns functions that print chunks: strings as they are, and other values in a line each. */
function createChunkPrinter() {
  let isInLine = false;
  return {
    print({ output }: Chunk): void {
      const text = typeof output === 'string' ? output : `${JSON.stringify(output)}\n`;
      if (text !== '') isInLine = !text.endsWith('\n');
      process.stdout.write(text);
    },
    /** Ends the line, if the last chunk has not. */
    end(): void {
      if (isInLine) process.stdout.write('\n');
    },
  };
}

/**
 * Prints the chunks of a job until it ends, and shows where the job is until the first chunk. A job that starts again
 * streams again from its first chunk.
 */
async function follow(job: KnownJob, print: (chunk: Chunk) => void, signal: AbortSignal): Promise<JobRecord> {
  const pauseFor = (milliseconds: number) => pause(milliseconds, undefined, { signal });
  const progress = createProgress();
  let [from, attempt] = [0, 0];
  for (;;) {
    const record = await persistently(() => read<JobRecord>(job, 'status', {}, signal), pauseFor);
    const { attempts = 0 } = record;
    // Chunks of the first attempt can be read before a status with that attempt.
    if (from > 0 && attempts > Math.max(attempt, 1) && !hasEnded(record)) {
      console.error('\nThe worker was lost. The job starts again, and so does its stream.');
      from = 0;
    }
    attempt = attempts;
    // Read after the status: the stream of a job that has ended is complete.
    const chunks = await persistently(() => read<readonly Chunk[]>(job, 'stream', { from }, signal), pauseFor);
    if (chunks.length > 0 || hasEnded(record)) progress.end();
    else if (from === 0) progress.show(lineOf(record), `${record.status} ${record.waitReason ?? ''}`);
    for (const chunk of chunks) print(chunk);
    from += chunks.length;
    if (hasEnded(record)) return record;
    await pauseFor(STREAM_PAUSE);
  }
}

const goesOnText = (id: string, { get, cancel }: NextSteps) =>
  `${id} goes on. Its state: ${get}\nTo wait for its end: ${get} --wait\nTo cancel it: ${cancel}`;

/** Waits for the end of a job, prints its output or its stream, and sets the exit code. */
export async function printEnd(job: KnownJob, options: WaitOptions): Promise<void> {
  const { id, endpoint } = job;
  const next = nextSteps(options, endpoint, id);
  await untilInterrupted(
    () => goesOnText(id, next),
    async (signal) => {
      const chunks = createChunkPrinter();
      const print = options.json ? printJson : chunks.print;
      const end = options.stream ? follow(job, print, signal) : untilEnd(job, signal);
      const record = await end.catch((error: unknown) => {
        signal.throwIfAborted();
        throw new Error(`${(error as Error).message}\n${goesOnText(id, next)}`, { cause: error });
      });
      process.exitCode = codeOf(record);
      chunks.end();
      if (options.json && !options.stream) printJson(record);
      else if (process.exitCode !== 0) printFailure(record, next);
      else if (!options.stream && record.output !== undefined) printOutput(record.output);
    },
  );
}
