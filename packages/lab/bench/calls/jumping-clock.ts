/** A clock that jumps to the end of the next pause, so that a simulated minute takes milliseconds. */
import { setImmediate } from 'node:timers/promises';

/** @param start start time, in milliseconds since the epoch */
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
    /** Advances the time until no pause is left. */
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
