/** Lambda on this machine: every function in a worker thread with an environment of its own. */
import { randomUUID } from 'node:crypto';
import { EventTooLarge, FunctionError } from './function-error.ts';
import { startThread, type Thread } from './function-thread.ts';

export interface FunctionDefinition {
  readonly name: string;
  readonly arn: string;
  /** Folder of the unpacked bundle. */
  readonly folder: string;
  /** Such as `index.handler`. */
  readonly handler: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly environment: Readonly<Record<string, string>>;
  /** File that takes what the function prints. */
  readonly log: string;
}

export interface Functions {
  define(definition: FunctionDefinition): void;
  has(arn: string): boolean;
  /**
   * Calls the function and waits for what it returns, as JSON.
   * @throws FunctionError if it fails
   * @throws EventTooLarge if the event does not go in
   */
  invoke(arn: string, event: object): Promise<string>;
  /** Loads all functions, so that the first callers need not wait for it. */
  warm(): void;
  stop(): Promise<void>;
}

/** Lambda's limit for the JSON of an event, and of a response to a synchronous call, in bytes. */
export const PAYLOAD_LIMIT = 6_291_456;

/** Said of a function at most this often, in milliseconds. */
const NOTE_PERIOD = 10_000;

/**
 * An event loop that is stuck answers nobody, so a thread that let a call run out of time gets no new ones. It ends when
 * the calls that it still has are over, which their own time limits bound.
 */
class Runner {
  readonly #definition: FunctionDefinition;
  readonly #note: (text: string) => void;
  readonly #threads = new Set<Thread>();
  #current: Thread | undefined;
  #notedAt = Number.NEGATIVE_INFINITY;

  constructor(definition: FunctionDefinition, note: (text: string) => void) {
    this.#definition = definition;
    this.#note = note;
  }

  thread(): Thread {
    if (this.#current) return this.#current;
    const thread = startThread(this.#definition, () => this.#complain());
    this.#current = thread;
    this.#threads.add(thread);
    void thread.ended.then(() => {
      this.#retire(thread);
      this.#threads.delete(thread);
    });
    return thread;
  }

  async invoke(event: string): Promise<string> {
    const { name, arn, timeout } = this.#definition;
    const thread = this.thread();
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      this.#retire(thread);
      reject(new FunctionError(`Task timed out after ${(timeout / 1000).toFixed(2)} seconds`));
    }, timeout);
    const context = { functionName: name, invokedFunctionArn: arn };
    const invocation = { id: randomUUID(), event, deadline: Date.now() + timeout, context };
    return Promise.race([thread.call(invocation), tooLate]).finally(() => {
      clearTimeout(timer);
      if (thread !== this.#current) thread.stopWhenIdle(invocation.id);
    });
  }

  #retire(thread: Thread): void {
    if (this.#current === thread) this.#current = undefined;
  }

  #complain(): void {
    const now = performance.now();
    if (now - this.#notedAt < NOTE_PERIOD) return;
    this.#notedAt = now;
    this.#note(`Function ${this.#definition.name} reports an error in ${this.#definition.log}`);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.stop()));
  }
}

/** @param note tells the user that a function wrote to its error output */
export function createFunctions(note: (text: string) => void): Functions {
  const runners = new Map<string, Runner>();
  return {
    define: (definition) => runners.set(definition.arn, new Runner(definition, note)),
    has: (arn) => runners.has(arn),

    async invoke(arn, event) {
      const runner = runners.get(arn);
      if (!runner) throw new FunctionError(`Function not found: ${arn}`);
      const text = JSON.stringify(event);
      if (Buffer.byteLength(text) > PAYLOAD_LIMIT) throw new EventTooLarge(`The event is over ${PAYLOAD_LIMIT} bytes.`);
      const result = await runner.invoke(text);
      if (Buffer.byteLength(result) > PAYLOAD_LIMIT)
        throw new FunctionError(
          `Response payload size exceeded maximum allowed payload size (${PAYLOAD_LIMIT} bytes).`,
        );
      return result;
    },

    warm() {
      for (const runner of runners.values()) runner.thread();
    },

    async stop() {
      await Promise.all([...runners.values()].map((runner) => runner.stop()));
    },
  };
}
