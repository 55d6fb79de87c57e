import { payloadLimits, SECOND } from '../limits.ts';

const KB = 1024;

/**
 * How bytes come to the ingress and leave it. A client that makes no progress for `stall`, or sends or receives less than
 * `rate` bytes a second after the first `stall`, is cut off; `rateWhenTight` is for clients of an endpoint that has little
 * memory left.
 */
export const bodyReading = {
  stall: 20 * SECOND,
  rate: 64 * KB,
  rateWhenTight: 1024 * KB,
} as const;

/**
 * The memory of a process for bodies and answers: `budget` bytes, of which one endpoint can hold half, which is 16 of the
 * largest bodies. A client that is refused may ask again after `retry`. An answer for which a client has waited already
 * waits for room for up to `patience`.
 */
export const memoryLimits = {
  budget: 2 * 16 * payloadLimits.body.runsync,
  retry: SECOND,
  patience: 20 * SECOND,
} as const;

/**
 * How fast bytes must come and go: clients that are slower hold memory that others need.
 *
 * Milliseconds until a transfer is too slow unless it makes progress: none for `stall`, or less than `rate` bytes a second
 * after the first `stall`. Zero or less if it is too slow already.
 * @param bytes moved so far
 * @param elapsed milliseconds that it has taken
 * @param stall milliseconds
 */
export function timeLeft(bytes: number, elapsed: number, rate: number, stall: number = bodyReading.stall): number {
  return Math.min(stall, stall + (bytes / rate) * 1_000 - elapsed);
}
