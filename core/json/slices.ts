/**
 * Runs long work in slices, between which the process does other work. A process serves the calls of many endpoints,
 * and work that does not pause holds up all of them.
 */
import { setImmediate } from 'node:timers/promises';

/** Number of bytes that are read between two pauses, which takes a few milliseconds on half a processor. */
export const SLICE = 256 * 1024;

/** Work that yields after each slice, and returns its result. */
export type Slices<Result> = Generator<undefined, Result>;

/** Runs the work without a pause. */
export function atOnce<Result>(work: Slices<Result>): Result {
  for (;;) {
    const next = work.next();
    if (next.done) return next.value;
  }
}

/** Large work runs one at a time: in parallel, all of it would finish late. */
let largeWork: Promise<unknown> = Promise.resolve();

/**
 * Runs work on this number of bytes. More than one slice waits for earlier large work, and then pauses after each
 * slice.
 * @throws the error of the work
 */
export async function inSlices<Result>(size: number, work: () => Slices<Result>): Promise<Result> {
  if (size <= SLICE) return atOnce(work());
  const run = async () => {
    const slices = work();
    for (;;) {
      const next = slices.next();
      if (next.done) return next.value;
      await setImmediate();
    }
  };
  const result = largeWork.then(run);
  // The stored promise must not retain the bytes in memory until the next large work.
  const ended = () => undefined;
  largeWork = result.then(ended, ended);
  return result;
}
