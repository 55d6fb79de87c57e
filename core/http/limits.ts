import { payloadLimits, SECOND } from '../limits.ts';

const KB = 1024;

/**
 * How the ingress reads bodies. One that makes no progress for `stall`, or comes at less than `rate` bytes a second after the
 * first `stall`, is given up. All bodies of at least `counted` bytes that a process holds at once have at most `budget` bytes;
 * a client that is refused for that may ask again after `retry`.
 */
export const bodyReading = {
  stall: 20 * SECOND,
  rate: 64 * KB,
  counted: 1024 * KB,
  budget: 16 * payloadLimits.body.runsync,
  retry: SECOND,
} as const;
