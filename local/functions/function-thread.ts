import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { FunctionError } from './function-error.ts';
import type { FunctionDefinition } from './functions.ts';
import type { Invocation, InvocationResult, ThreadData } from './thread.ts';

/** The outside of a function's worker thread. */
export interface Thread {
  /** @throws FunctionError if the function fails, or the thread ends before it answers */
  call(invocation: Invocation): Promise<string>;
  /**
   * Ends the thread as soon as no call is under way.
   * @param abandoned a call that is not waited for any more
   */
  stopWhenIdle(abandoned: string): void;
  stop(): Promise<void>;
  readonly ended: Promise<void>;
}

interface Waiting {
  readonly resolve: (result: string) => void;
  readonly reject: (error: FunctionError) => void;
}

const script = join(import.meta.dirname, 'thread.ts');

/** @param onErrorOutput is called when the function writes to its error output */
export function startThread(
  { folder, handler, environment, log }: FunctionDefinition,
  onErrorOutput: () => void,
): Thread {
  const data: ThreadData = { folder, handler };
  const worker = new Worker(script, {
    workerData: data,
    env: { ...environment },
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  const output = createWriteStream(log, { flags: 'a', mode: 0o600 });
  for (const stream of [worker.stdout, worker.stderr]) stream.pipe(output, { end: false });
  worker.stderr.on('data', onErrorOutput);

  const waiting = new Map<string, Waiting>();
  worker.on('message', (answer: InvocationResult) => {
    const call = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('result' in answer) call?.resolve(answer.result);
    else call?.reject(new FunctionError(answer.errorMessage));
  });

  let failure = 'The function ended while it ran.';
  worker.on('error', (error) => {
    failure = error instanceof Error ? error.message : String(error);
    output.write(`${error instanceof Error ? error.stack : error}\n`);
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  worker.once('exit', () => {
    for (const call of waiting.values()) call.reject(new FunctionError(failure));
    waiting.clear();
    output.end();
    end();
  });

  const stop = async () => {
    await worker.terminate();
    await ended;
  };
  return {
    call(invocation) {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      waiting.set(invocation.id, { resolve, reject });
      worker.postMessage(invocation);
      return promise;
    },
    stopWhenIdle(abandoned) {
      waiting.delete(abandoned);
      if (waiting.size === 0) void stop();
    },
    stop,
    ended,
  };
}
