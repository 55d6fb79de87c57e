/**
 * Decides which of several concurrent calls runs next. Each call waits twice: before it is executed, and before
 * its caller gets the answer. One call is executed at a time, so the chosen order is the order in which AWS
 * executes the calls.
 */
import type * as fc from 'fast-check';

export interface Schedule {
  /** Resolves when it is the turn of this call. */
  turn(label: string): Promise<void>;
  /** Marks AWS as busy while the work runs. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Holds a call until `release`. */
  hold(): Promise<void>;
  release(): void;
  readonly heldCalls: number;
  /** Lets calls take turns until all have finished or are held. */
  runAll(): Promise<void>;
}

/** Number of rounds of the event loop in which a received body is read to its end. */
const TURNS = 6;

const immediate = () => new Promise<void>((resolve) => setImmediate(resolve));

export function createSchedule(scheduler: fc.Scheduler): Schedule {
  let atWork = 0;
  let activity = 0;
  let held: (() => void)[] = [];
  let isDone = Promise.withResolvers<void>();

  /** Waits until no process can continue without a turn: AWS is idle, and the code that its answers resumed has run. */
  async function quiet(): Promise<void> {
    for (let seen = -1; atWork > 0 || seen !== activity; ) {
      // The emulators need processor time too.
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

    async runAll() {
      await quiet();
      while (scheduler.count() > 0) {
        await scheduler.waitNext(1);
        await quiet();
      }
    },
  };
}
