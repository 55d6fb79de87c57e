/** Limits of the bodies and answers that pass through the ingress: their pace, and the memory that they use. */
import { payloadLimits, SECOND } from '../core/limits.ts';

const KB = 1024;

/**
 * Limits of transfers to and from the ingress. The ingress disconnects a client that makes no progress for
 * `stall`, or that sends or receives less than `rate` bytes per second after the first `stall`. `rateWhenTight`
 * applies to clients of an endpoint that has little memory left.
 */
export const bodyReading = {
  stall: 20 * SECOND,
  rate: 64 * KB,
  rateWhenTight: 1024 * KB,
} as const;

/**
 * Memory of a process for bodies and answers: `budget` bytes. One endpoint can hold half of the budget, which is
 * 16 of the largest bodies. A refused client can try again after `retry`. An answer waits up to `patience` for
 * memory, because its client has already waited for it.
 */
export const memoryLimits = {
  budget: 2 * 16 * payloadLimits.body.runsync,
  retry: SECOND,
  patience: 20 * SECOND,
} as const;

/**
 * Returns the milliseconds until a transfer without progress is too slow; zero or less if it is already too slow.
 * A transfer is too slow after `stall` without progress, or with less than `rate` bytes per second after the first
 * `stall`. Slow clients hold memory that other clients need.
 * @param bytes moved so far
 * @param elapsed milliseconds since the transfer began
 * @param stall milliseconds
 */
export function timeLeft(bytes: number, elapsed: number, rate: number, stall: number = bodyReading.stall): number {
  return Math.min(stall, stall + (bytes / rate) * 1_000 - elapsed);
}
