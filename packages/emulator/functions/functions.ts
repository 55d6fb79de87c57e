/** Lambda on this machine: every function runs in worker threads with its own environment variables. */
import { randomUUID } from 'node:crypto';
import pLimit, { type LimitFunction } from 'p-limit';
import { createFunctionMetrics } from '../cloudwatch/function-metrics.ts';
import type { Metrics } from '../cloudwatch/metrics.ts';
import {
  type Call,
  EventTooLarge,
  FunctionError,
  FunctionThrottled,
  receiveStream,
  receiveWhole,
  type StreamedCall,
} from './call.ts';
import { createConcurrency } from './concurrency.ts';
import { type FunctionDefinition, startThread, type Thread, type ThreadHost } from './function-thread.ts';

export interface Functions {
  /**
   * Defines a function.
   * @throws LocalError if its reservation leaves too few executions for the others
   */
  define(definition: FunctionDefinition): void;
  has(arn: string): boolean;
  /** Returns the ARN of the function's role. */
  roleOf(arn: string): string;
  /**
   * Returns the folder of the function's bundle.
   * @throws FunctionError if the function does not exist
   */
  folderOf(arn: string): string;
  /**
   * Calls the function and returns its result as JSON.
   * @param begun is called when the execution begins; until then, the call waits for others of the same function
   * @throws FunctionError if the function fails
   * @throws EventTooLarge if the event is too large
   * @throws FunctionThrottled if the concurrency limit of the account, or of its reservation, is reached
   */
  invoke(arn: string, event: object, begun?: () => void): Promise<string>;
  /**
   * Calls the function and streams its output, or its result as JSON. The function waits for a slow reader. A
   * reader that does not want the rest, or has the whole output, destroys the stream: the function keeps running, and
   * its output is lost.
   *
   * The stream fails with a FunctionError if the function fails, possibly after the first chunks.
   * @throws FunctionError if the function does not exist
   * @throws EventTooLarge if the event is too large
   * @throws FunctionThrottled if the concurrency limit of the account, or of its reservation, is reached
   */
  invokeStreaming(arn: string, event: object): Pick<StreamedCall, 'output' | 'whole'>;
  /** Ends the environments that run no call. The next call of a function starts a new one. */
  endIdle(): void;
  /** Kills the function, as if its process had crashed: calls in progress fail. */
  crash(arn: string): Promise<void>;
  stop(): Promise<void>;
}

/** Lambda's limit for the JSON of an event, and of a response to a synchronous call, in bytes. */
export const PAYLOAD_LIMIT = 6_291_456;

/** Lambda's limit for a response that is streamed, in bytes. */
export const STREAM_LIMIT = 200 * 1024 * 1024;

/** Milliseconds between two messages about a function. */
const NOTICE_PERIOD = 10_000;

/**
 * Calls that a thread runs at the same time. Further calls wait, and their timeout begins when they start. In AWS
 * each call has its own environment; here hundreds of calls would share one processor, and all would time out.
 */
const AT_ONCE = 16;
/**
 * A function whose timeout exceeds API Gateway's limit for a whole response can spend its time waiting, so the
 * number of its concurrent calls is not limited.
 */
const MAX_BUFFERED_TIMEOUT = 29_000;

/**
 * Maximum milliseconds for the load of a bundle, which takes seconds on a busy machine. A call that waits for longer times
 * out.
 */
const LOAD_LIMIT = 60_000;

/**
 * Milliseconds without a call after which a function's thread ends, as an environment does in AWS after some minutes.
 * A thread uses 20 MB or more, and most functions are called rarely.
 */
const IDLE_LIMIT = 300_000;

/**
 * Runs a function in threads. A blocked event loop answers no call, so a thread in which a call timed out gets no
 * new calls. It stops when its remaining calls have finished or timed out.
 */
class Runner {
  readonly #definition: FunctionDefinition;
  readonly #host: FunctionsHost;
  readonly #threads = new Set<Thread>();
  #current: Thread | undefined;
  readonly #turns: LimitFunction;
  #idle: NodeJS.Timeout | undefined;
  #notifiedAt = Number.NEGATIVE_INFINITY;
  #isStopped: boolean = false;

  get role(): string {
    return this.#definition.role;
  }

  get folder(): string {
    return this.#definition.folder;
  }

  constructor(definition: FunctionDefinition, host: FunctionsHost) {
    this.#definition = definition;
    this.#host = host;
    this.#turns = pLimit(definition.timeout > MAX_BUFFERED_TIMEOUT ? Number.POSITIVE_INFINITY : AT_ONCE);
  }

  #thread(): Thread {
    if (this.#current) return this.#current;
    const thread = startThread(this.#definition, this.#host, () => this.#complain());
    this.#current = thread;
    this.#threads.add(thread);
    void thread.ended.then(() => {
      this.#retire(thread);
      this.#threads.delete(thread);
    });
    return thread;
  }

  /**
   * Runs a call.
   * @param begun is called when the execution begins
   * @param done is called when the execution is over
   */
  call(call: Call, event: string, begun: () => void, done: (succeeded: boolean) => void): void {
    void call.over.then(done);
    void this.#turns(() => {
      begun();
      return this.#run(call, event);
    });
  }

  async #run(call: Call, event: string): Promise<void> {
    const { name, arn, timeout } = this.#definition;
    if (this.#isStopped) return call.fail(new FunctionError('The function exited before the call began.'));
    const thread = this.#thread();
    const context = { functionName: name, invokedFunctionArn: arn };
    thread.run(call, { requestId: randomUUID(), event, sentAt: Date.now(), timeout, context });
    const timeOut = () => {
      this.#retire(thread);
      call.fail(new FunctionError(`Task timed out after ${(timeout / 1000).toFixed(2)} seconds`));
    };
    let timer: NodeJS.Timeout | undefined = setTimeout(timeOut, LOAD_LIMIT);
    void thread.loaded.then(() => {
      if (!timer) return;
      clearTimeout(timer);
      timer = setTimeout(timeOut, timeout);
    });
    await call.over;
    clearTimeout(timer);
    timer = undefined;
    if (thread !== this.#current) thread.stopIfIdle();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.endIdle(), IDLE_LIMIT).unref();
  }

  /** Ends the thread if it runs no call. The next call starts a new thread. */
  endIdle(): void {
    const thread = this.#current;
    if (thread?.stopIfIdle()) this.#retire(thread);
  }

  #retire(thread: Thread): void {
    if (this.#current === thread) this.#current = undefined;
  }

  #complain(): void {
    const now = performance.now();
    if (now - this.#notifiedAt < NOTICE_PERIOD) return;
    this.#notifiedAt = now;
    this.#host.notify(`Function ${this.#definition.name} reports an error in ${this.#definition.log}`);
  }

  /** Stops all threads. New and waiting calls begin in a new thread. */
  async crash(): Promise<void> {
    const threads = [...this.#threads];
    this.#current = undefined;
    await Promise.all(threads.map((thread) => thread.stop()));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#idle);
    await Promise.all([...this.#threads].map((thread) => thread.stop()));
  }
}

export interface FunctionsHost extends ThreadHost {
  /** Prints a message for the user. */
  readonly notify: (text: string) => void;
  /**
   * Maximum concurrent executions of all functions.
   * @default - Lambda's limit for an account
   */
  readonly concurrency?: number;
  /** @default - executions are not measured */
  readonly metrics?: Pick<Metrics, 'put'>;
}

/** Lambda's default limit of concurrent executions for an account. */
export const ACCOUNT_CONCURRENCY = 1_000;

/** Creates the functions. As in AWS, each function is loaded at its first call, because most are never called. */
export function createFunctions(host: FunctionsHost): Functions {
  const { notify, concurrency = ACCOUNT_CONCURRENCY, metrics = { put: () => undefined } } = host;
  const executions = createConcurrency(concurrency, notify);
  const measured = createFunctionMetrics(metrics);
  const runners = new Map<string, Runner>();
  function beginExecution(arn: string): (succeeded: boolean) => void {
    try {
      const end = executions.begin(arn);
      const measureEnd = measured.begin(arn);
      return (succeeded) => {
        end();
        measureEnd(succeeded);
      };
    } catch (error) {
      if (error instanceof FunctionThrottled) measured.throttle(arn);
      throw error;
    }
  }
  function begin<Kind extends Call>(call: Kind, arn: string, event: object, begun: () => void = () => undefined): Kind {
    const runner = runners.get(arn);
    if (!runner) throw new FunctionError(`Function not found: ${arn}`);
    const text = JSON.stringify(event);
    if (Buffer.byteLength(text) > PAYLOAD_LIMIT) throw new EventTooLarge(`The event is over ${PAYLOAD_LIMIT} bytes.`);
    runner.call(call, text, begun, beginExecution(arn));
    return call;
  }
  return {
    define(definition) {
      if (definition.reserved !== undefined) executions.reserve(definition.arn, definition.reserved);
      runners.set(definition.arn, new Runner(definition, host));
    },
    has: (arn) => runners.has(arn),
    roleOf: (arn) => runners.get(arn)?.role ?? '',
    folderOf(arn) {
      const runner = runners.get(arn);
      if (!runner) throw new FunctionError(`Function not found: ${arn}`);
      return runner.folder;
    },
    invoke: async (arn, event, begun) => begin(receiveWhole(PAYLOAD_LIMIT), arn, event, begun).text,
    invokeStreaming: (arn, event) => begin(receiveStream(STREAM_LIMIT), arn, event),

    endIdle() {
      for (const runner of runners.values()) runner.endIdle();
    },

    crash: async (arn) => runners.get(arn)?.crash(),

    async stop() {
      await Promise.all([...runners.values()].map((runner) => runner.stop()));
    },
  };
}
