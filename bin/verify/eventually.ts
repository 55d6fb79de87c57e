import { setTimeout as delay } from 'node:timers/promises';

/**
 * Milliseconds between polls. Pauses grow from the first to the longest, because each request costs both processes
 * a few milliseconds.
 */
const FIRST_PAUSE = 50;
const MAX_PAUSE = 500;

/**
 * Calls `look` until it returns a value.
 * @param what the expected condition, named in the error
 * @param every milliseconds between two calls, if the pause must be constant
 */
export async function eventually<Found>(
  what: string,
  look: () => Promise<Found | undefined> | Found | undefined,
  { within = 60_000, every }: { within?: number; every?: number } = {},
): Promise<Found> {
  let pause = every ?? FIRST_PAUSE;
  for (const deadline = Date.now() + within; Date.now() < deadline; await delay(pause)) {
    const found = await look();
    if (found !== undefined) return found;
    if (every === undefined) pause = Math.min(MAX_PAUSE, pause * 1.25);
  }
  throw new Error(`Not true within ${within} ms: ${what}.`);
}
