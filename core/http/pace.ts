/** How fast bytes must come and go: clients that are slower hold memory that others need. */
import { bodyReading } from './limits.ts';

/**
 * Milliseconds until a transfer is too slow unless it makes progress: none for `stall`, or less than `rate` bytes a second
 * after the first `stall`. Zero or less if it is too slow already.
 * @param bytes moved so far
 * @param elapsed milliseconds that it has taken
 * @param stall milliseconds
 */
export function timeLeft(bytes: number, elapsed: number, rate: number, stall: number = bodyReading.stall): number {
  return Math.min(stall, stall + (bytes / rate) * 1_000 - elapsed);
}
