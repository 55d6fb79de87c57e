/**
 * Decides which of several calls runs next. Each call waits twice: before it is executed, and before its caller gets
 * the answer. One call is executed at a time, so the chosen order is the order in which AWS executes them.
 */
import type * as fc from 'fast-check';

export interface Schedule {
  /** Resolves when this call has its turn. */
  turn(label: string): Promise<void>;
  /** Marks AWS as busy while the work runs. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Holds a call back until `release`. */
  hold(): Promise<void>;
  release(): void;
  readonly heldCalls: number;
  /** Lets calls take turns until all have ended, or the rest is held back. */
  settle(): Promise<void>;
}

/** Rounds of the event loop, in which a body that has arrived is read to its end. */
const TURNS = 6;

const immediate = () => new Promise<void>((resolve) => setImmediate(resolve));

export function createSchedule(scheduler: fc.Scheduler): Schedule {
  let atWork = 0;
  let activity = 0;
  let held: (() => void)[] = [];
  let isDone = Promise.withResolvers<void>();

  /** Waits until no process can continue without a turn: AWS is idle, and code that its answers started has run. */
  async function quiet(): Promise<void> {
    for (let seen = -1; atWork > 0 || seen !== activity; ) {
      // Emulators need the processor too.
      if (atWork > 0) await isDone.promise;
      seen = activity;
      for (let turn = 0; turn < TURNS; turn += 1) await immediate();
    }
  }

  return {
    async turn(label) {
      activity += 1;
      await scheduler.schedule(Promise.resolve(), label);
      activity += 1;
    },

    async during(work) {
      if (atWork === 0) isDone = Promise.withResolvers();
      atWork += 1;
      try {
        return await work();
      } finally {
        atWork -= 1;
        activity += 1;
        if (atWork === 0) isDone.resolve();
      }
    },

    hold: () => new Promise<void>((resolve) => held.push(resolve)),

    release() {
      const calls = held;
      held = [];
      for (const go of calls) go();
    },

    get heldCalls() {
      return held.length;
    },

    async settle() {
      await quiet();
      while (scheduler.count() > 0) {
        await scheduler.waitNext(1);
        await quiet();
      }
    },
  };
}
