/** A clock that jumps from one pause to the next: what takes a minute by the clock takes milliseconds. */
import { setImmediate } from 'node:timers/promises';

/** @param start milliseconds since the epoch */
export function createJumpingClock(start: number) {
  const pauses: { readonly until: number; readonly end: () => void }[] = [];
  let now = start;
  const clock = {
    now: () => now,
    pause(milliseconds: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      pauses.push({ until: now + milliseconds, end: resolve });
      return promise;
    },
  };
  return {
    clock,
    /** Lets time pass until there is no pause. */
    async run(): Promise<void> {
      for (await setImmediate(); pauses.length > 0; await setImmediate()) {
        now = Math.min(...pauses.map(({ until }) => until));
        for (const pause of pauses.splice(0)) {
          if (pause.until > now) pauses.push(pause);
          else pause.end();
        }
      }
    },
  };
}
