/**
 * The caller and the purpose of a call to AWS. Each call has a context, so that faults, schedules and histories
 * can name the call.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Ports } from '../../../../aws/ports.ts';
import { portsWith } from '../../../../aws/ports.ts';

/** A process of the product: an instance of a function, or an agent. */
export interface Caller {
  readonly name: string;
  readonly isDead: boolean;
  /** Rejects with `Crashed` when the process dies. */
  readonly died: Promise<never>;
  die(): void;
}

export class Crashed extends Error {
  override readonly name = 'Crashed';
}

export function createCaller(name: string): Caller {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  let isDead = false;
  return {
    name,
    died: promise,
    get isDead() {
      return isDead;
    },
    die() {
      isDead = true;
      reject(new Crashed(`${name} has crashed.`));
    },
  };
}

export interface Context {
  readonly caller: Caller;
  /** The operation, such as `run` or `sweep`. */
  readonly operation: string;
  readonly number: number;
  /** The running method of a port, such as `jobs.move take`. */
  readonly verb?: string;
}

const storage = new AsyncLocalStorage<Context>();

export const inContext = <Result>(context: Context, act: () => Result): Result => storage.run(context, act);

/**
 * @returns the context of the current call
 * @throws Error outside of `inContext`, where the product makes no calls
 */
export function presentContext(): Context {
  const context = storage.getStore();
  if (!context) throw new Error('A call to AWS has no context. Make it within `inContext`.');
  return context;
}

const inVerb = <Result>(verb: string, act: () => Result): Result => {
  const context = storage.getStore();
  return context ? storage.run({ ...context, verb }, act) : act();
};

/** Names each step of a generator separately, because a generator runs in the context of its consumer. */
async function* namedSteps<Item>(verb: string, items: AsyncIterator<Item>): AsyncIterable<Item> {
  for (;;) {
    const step = await inVerb(verb, () => items.next());
    if (step.done) return;
    yield step.value;
  }
}

type Verb = (...args: unknown[]) => unknown;

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

function namedPart(name: string, part: object): object {
  return new Proxy(part, {
    get(target, property) {
      const verb: unknown = Reflect.get(target, property);
      if (typeof verb !== 'function') return verb;
      return (...args: unknown[]) => {
        const detail = property === 'move' || property === 'report' ? ` ${String(args[0])}` : '';
        const label = `${name}.${String(property)}${detail}`;
        const result = inVerb(label, () => (verb as Verb).apply(target, args));
        return isAsyncIterable(result) ? namedSteps(label, result[Symbol.asyncIterator]()) : result;
      };
    },
  });
}

const PARTS = [
  'jobs',
  'polledJobs',
  'purgeCounts',
  'payloads',
  'objects',
  'jobQueues',
  'endpoints',
  'workers',
  'starts',
  'ledger',
  'arrivals',
  'deadlines',
  'attemptHistory',
  'usageSums',
  'lateJobHistory',
  'eventHistory',
  'jobHistory',
  'waitSlots',
] as const;

/** Wraps the ports so that each call has the name of the method that makes it. */
export function named(ports: Ports): Ports {
  const parts = PARTS.map((name) => [name, namedPart(name, ports[name])] as const);
  return portsWith(ports, Object.fromEntries(parts));
}
