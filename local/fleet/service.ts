/** An ECS service on this machine: keeps the desired number of tasks running. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Task } from './task.ts';

export interface Service {
  /** Resolves when every task has started for the first time, or has failed to. */
  readonly settled: Promise<void>;
  /** @param limit milliseconds until the last task has ended */
  stop(limit: number): Promise<void>;
}

export interface ServiceOptions {
  readonly name: string;
  readonly desiredCount: number;
  startTask(): Task;
  /** Tells the user something; the same sentence comes once. */
  note(text: string): void;
  /** Replaces the clock in tests; milliseconds. */
  readonly now?: () => number;
  readonly pause?: (milliseconds: number, stop: AbortSignal) => Promise<void>;
}

/** A task that lived shorter than this failed to start, and its replacement waits. */
const SHORT_LIFE = 10_000;
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

const sleep = (milliseconds: number, stop: AbortSignal) =>
  delay(milliseconds, undefined, { signal: stop }).catch(() => undefined);

export function startService(options: ServiceOptions): Service {
  const { name, desiredCount, startTask, note, now = () => performance.now(), pause = sleep } = options;
  const stopping = new AbortController();
  const running = new Set<Task>();
  const told = new Set<string>();

  const tell = (text: string) => {
    if (!told.has(text)) note(text);
    told.add(text);
  };

  /** One task after the other, until the service stops. */
  async function keepOne(settle: () => void): Promise<void> {
    let wait = FIRST_PAUSE;
    while (!stopping.signal.aborted) {
      const startedAt = now();
      const task = startTask();
      running.add(task);
      void task.ready.then(settle);
      const reason = await task.ended;
      running.delete(task);
      if (stopping.signal.aborted) break;
      tell(`A task of ${name} ended: ${reason}. The service starts another.`);
      if (now() - startedAt >= SHORT_LIFE) {
        wait = FIRST_PAUSE;
      } else {
        await pause(wait, stopping.signal);
        wait = Math.min(2 * wait, LONGEST_PAUSE);
      }
    }
    settle();
  }

  const places = Array.from({ length: desiredCount }, () => {
    const { promise: settled, resolve } = Promise.withResolvers<void>();
    return { settled, over: keepOne(resolve) };
  });

  return {
    settled: Promise.all(places.map(({ settled }) => settled)).then(() => undefined),
    async stop(limit) {
      stopping.abort();
      await Promise.all([...running].map((task) => task.stop(limit)));
      await Promise.all(places.map(({ over }) => over));
    },
  };
}
