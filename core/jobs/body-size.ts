import { PayloadTooLarge } from '../errors.ts';
import { payloadLimits } from '../limits.ts';
import type { JobKind } from './job.ts';

/** Operations whose requests submit a job. */
export type SubmitOperation = JobKind | 'openai';

/** The kind of the jobs that requests of an operation submit. */
export const kindOf = (operation: SubmitOperation): JobKind => (operation === 'openai' ? 'runsync' : operation);

/**
 * @param size bytes of the body, or how many came before the reader stopped
 * @param isWhole whether `size` is all of it
 * @throws PayloadTooLarge
 */
export function assertBodyFits(operation: SubmitOperation, size: number, isWhole = true): void {
  const limit = payloadLimits.body[kindOf(operation)];
  if (size <= limit) return;
  const found = isWhole ? `${size} bytes` : `more than ${limit} bytes`;
  throw new PayloadTooLarge(`The body has ${found}; /${operation} takes at most ${limit}.`);
}
