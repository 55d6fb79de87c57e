import { PayloadTooLarge } from '../errors.ts';
import { payloadLimits } from '../limits.ts';
import type { JobKind } from './job.ts';

/**
 * @param size bytes of the body, or how many came before the reader stopped
 * @param isWhole whether `size` is all of it
 * @throws PayloadTooLarge
 */
export function assertBodyFits(kind: JobKind, size: number, isWhole = true): void {
  const limit = payloadLimits.body[kind];
  if (size <= limit) return;
  const found = isWhole ? `${size} bytes` : `more than ${limit} bytes`;
  throw new PayloadTooLarge(`The body has ${found}; /${kind} takes at most ${limit}.`);
}
