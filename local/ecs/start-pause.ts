/** After tasks that die young a service waits before it starts others, longer and longer until one lives. */
import type { Clock } from './clock.ts';

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

export interface StartPause {
  isOn(): boolean;
  /** Begins a pause, unless there is one. */
  begin(): void;
  /** Ends it before its time. */
  end(): void;
  /** A task has lived: the next pause is a short one. */
  forgive(): void;
}

/** @param over is called when a pause is over */
export function createStartPause(clock: Clock, over: () => void): StartPause {
  let length = FIRST_PAUSE;
  let present: AbortController | undefined;
  return {
    isOn: () => present !== undefined,
    begin() {
      if (present) return;
      const mine = new AbortController();
      present = mine;
      void clock.sleep(length, mine.signal).then(() => {
        if (mine.signal.aborted) return;
        present = undefined;
        over();
      });
      length = Math.min(2 * length, LONGEST_PAUSE);
    },
    end() {
      present?.abort();
      present = undefined;
    },
    forgive() {
      length = FIRST_PAUSE;
    },
  };
}
