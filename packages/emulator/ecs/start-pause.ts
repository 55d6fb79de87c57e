/** The pause of a service after tasks that fail early. It gets longer each time, until a task runs long enough. */
import type { Clock } from './clock.ts';

const FIRST_PAUSE = 1_000;
const MAX_PAUSE = 30_000;

export interface StartPause {
  isOn(): boolean;
  /** Begins a pause, unless a pause is in progress. */
  begin(): void;
  /** Ends the pause early. */
  end(): void;
  /** Resets the length of the next pause, because a task ran long enough. */
  forgive(): void;
}

/**
 * Creates the pause.
 * @param over is called when a pause has ended by itself
 */
export function createStartPause(clock: Clock, over: () => void): StartPause {
  let length = FIRST_PAUSE;
  let present: AbortController | undefined;
  return {
    isOn: () => present !== undefined,
    begin() {
      if (present) return;
      const started = new AbortController();
      present = started;
      void clock.sleep(length, started.signal).then(() => {
        if (started.signal.aborted) return;
        present = undefined;
        over();
      });
      length = Math.min(2 * length, MAX_PAUSE);
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
