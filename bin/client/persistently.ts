/** Repeats reads of a service over connections that break. */
import { CallFailed } from './call.ts';

/** Milliseconds between two attempts, a minute in total. */
const PAUSES = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000] as const;

/** Returns whether the connection broke, or the answer came from something in front of the service. */
function isBroken(error: unknown): boolean {
  if (error instanceof CallFailed) return error.code === 'UNREACHABLE' || /^5\d\d$/.test(error.code);
  const { name, cause } = error as Error;
  // `fetch` reports a body that ends early as a TypeError with a cause.
  return name === 'TimeoutError' || (name === 'TypeError' && cause !== undefined);
}

/**
 * Repeats a read while its connection breaks, with increasing pauses.
 * @throws the error of the last attempt
 */
export async function persistently<Answer>(
  read: () => Promise<Answer>,
  pauseFor: (milliseconds: number) => Promise<void>,
): Promise<Answer> {
  for (const milliseconds of PAUSES) {
    try {
      return await read();
    } catch (error) {
      if (!isBroken(error)) throw error;
    }
    await pauseFor(milliseconds);
  }
  return await read();
}
