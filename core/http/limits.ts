import { payloadLimits, SECOND } from '../limits.ts';

const KB = 1024;

/**
 * Limits of transfers to and from the ingress. It disconnects a client that makes no progress for `stall`, or sends or
 * receives less than `rate` bytes a second after the first `stall`. `rateWhenTight` is for clients of an endpoint that
 * has little memory left.
 */
export const bodyReading = {
  stall: 20 * SECOND,
  rate: 64 * KB,
  rateWhenTight: 1024 * KB,
} as const;

/**
 * The memory of a process for bodies and answers: `budget` bytes. One endpoint can hold half of it, which is 16 of the
 * largest bodies. A refused client may try again after `retry`. An answer, for which its client has already waited,
 * waits up to `patience` for room.
 */
export const memoryLimits = {
  budget: 2 * 16 * payloadLimits.body.runsync,
  retry: SECOND,
  patience: 20 * SECOND,
} as const;

/**
 * Returns the milliseconds until a transfer is too slow unless it makes progress; zero or less if it is too slow
 * already. It is too slow after `stall` without progress, or with less than `rate` bytes a second after the first
 * `stall`. Slow clients hold memory that other clients need.
 * @param bytes moved so far
 * @param elapsed milliseconds since the transfer began
 * @param stall milliseconds
 */
export function timeLeft(bytes: number, elapsed: number, rate: number, stall: number = bodyReading.stall): number {
  return Math.min(stall, stall + (bytes / rate) * 1_000 - elapsed);
}
