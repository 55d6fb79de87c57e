import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { eachLine } from '../logs/lines.ts';
import { openBoundedLog } from '../state/bounded-log.ts';
import type { Call } from './call.ts';
import { FunctionError } from './call.ts';
import type { FromThread, Invocation, ThreadData, ToThread } from './thread.ts';

export interface FunctionDefinition {
  readonly name: string;
  readonly arn: string;
  /** Folder of the unpacked bundle. */
  readonly folder: string;
  /** Handler of the function, such as `index.handler`. */
  readonly handler: string;
  /** ARN of the role that the function runs under. */
  readonly role: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Reserved executions, beyond which the function is throttled.
   * @default - the function shares the executions of the account
   */
  readonly reserved?: number | undefined;
  /** Log file of the function. */
  readonly log: string;
}

/** The worker thread of a function. */
export interface Thread {
  /** Resolves when the bundle is loaded, or when the thread has ended. */
  readonly loaded: Promise<void>;
  /**
   * Starts an invocation as soon as the bundle is loaded.
   * @param call receives the response
   */
  run(call: Call, invocation: Omit<Invocation, 'call' | 'demand'>): void;
  /**
   * Stops the thread if no call is in progress.
   * @returns whether it stops
   */
  stopIfIdle(): boolean;
  stop(): Promise<void>;
  readonly ended: Promise<void>;
}

/** The program has the extension of this file, which is compiled in an installed package. */
const script = join(import.meta.dirname, `thread${extname(import.meta.filename)}`);

/** Longest name of a thread on Linux, in bytes. */
const MAX_NAME_LENGTH = 15;

/**
 * Returns the name by which tools of the operating system show the thread: the last words of the function's logical
 * id that fit, such as `JobsRun`. The names of most functions differ only after their first 15 characters.
 * @param name `STACK-LogicalIdHASH`, or a name from the template
 */
export function threadName(name: string): string {
  const id = name.slice(name.indexOf('-') + 1).replace(/[0-9A-F]{8}$/, '');
  if (id.length <= MAX_NAME_LENGTH) return id;
  const words = id.split(/(?=[A-Z])/);
  const first = words.findIndex((_, n) => words.slice(n).join('').length <= MAX_NAME_LENGTH);
  return first < 0 ? id.slice(-MAX_NAME_LENGTH) : words.slice(first).join('');
}

/**
 * Megabytes of a thread's new objects. By default, the heap of each thread grows to about 100 MB before V8 collects
 * most of its garbage, although a function needs 15 MB.
 */
const YOUNG_GENERATION = 6;

export interface ThreadHost {
  /** Folder of the functions' compile cache, which outlives a run and halves the load time of a bundle. */
  readonly compileCache: string;
  /**
   * Names of errors that a function throws on purpose. They are logged, but are no error output.
   * @default - none
   */
  readonly repeatErrors?: readonly string[];
  /**
   * Receives each line that a function logs.
   * @default - the lines are only in the log file
   */
  readonly print?: (line: string) => void;
}

/**
 * Starts a thread.
 * @param onErrorOutput is called when the function writes to its standard error
 */
export function startThread(
  { name, folder, handler, environment, log }: FunctionDefinition,
  { compileCache, repeatErrors = [], print }: ThreadHost,
  onErrorOutput: () => void,
): Thread {
  const data: ThreadData = { folder, handler, repeatErrors };
  const running = new Worker(script, {
    name: threadName(name),
    workerData: data,
    env: { ...environment, NODE_COMPILE_CACHE: compileCache },
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION },
    stdout: true,
    stderr: true,
  });
  const output = openBoundedLog(log);
  for (const stream of [running.stdout, running.stderr]) {
    stream.on('data', (chunk: Buffer) => output.write(chunk));
    if (print) eachLine(stream, print);
  }
  running.stderr.on('data', onErrorOutput);

  const calls = new Map<number, Call>();
  let last = 0;
  const post = (message: ToThread) => running.postMessage(message);
  const { promise: loaded, resolve: isLoaded } = Promise.withResolvers<void>();
  running.on('message', (message: FromThread) => {
    if (message === 'loaded') isLoaded();
    else calls.get(message.call)?.receive(message.part);
  });
  let failure = 'The function exited during a call.';
  running.on('error', (error) => {
    failure = error instanceof Error ? error.message : String(error);
    output.write(`${error instanceof Error ? error.stack : error}\n`);
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  running.once('exit', () => {
    for (const call of calls.values()) call.fail(new FunctionError(failure));
    output.close();
    isLoaded();
    end();
  });

  const stop = async () => {
    await running.terminate();
    await ended;
  };
  return {
    loaded,
    run(call, invocation) {
      last += 1;
      const number = last;
      calls.set(number, call);
      void call.over.then(() => calls.delete(number));
      post({ ...invocation, call: number, demand: call.demand });
      call.connect((wants) => post({ call: number, wants }));
    },
    stopIfIdle() {
      if (calls.size > 0) return false;
      void stop();
      return true;
    },
    stop,
    ended,
  };
}
