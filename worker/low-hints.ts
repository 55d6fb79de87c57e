/** Receives hints of jobs of low priority, and lets normal jobs go first. */
import { standsBack } from '../core/jobs/low-priority.ts';
import { LOW_PRIORITY_PAUSE, SECOND } from '../core/limits.ts';
import type { ReceivedHint, World } from '../core/world.ts';

/** A normal hint that comes in the same moment is faster by this. */
const COURTESY = 50;

type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/**
 * The hint, if its job may start here now. If not it is hidden from all workers for a moment, and this one asks for no
 * other meanwhile: thousands may wait, and each look at one costs two requests.
 */
export async function admit(
  { clock, endpoints, hints }: Pick<World, 'clock' | 'endpoints' | 'hints'>,
  hint: ReceivedHint,
  pause: Pause,
  signal: AbortSignal,
): Promise<ReceivedHint | undefined> {
  const endpoint = await endpoints.read(hint.endpoint);
  if (!endpoint || !standsBack(endpoint, hint.sentAt, clock.now())) {
    await pause(COURTESY, signal);
    return hint;
  }
  await hints.hide(hint, LOW_PRIORITY_PAUSE + SECOND);
  await pause(LOW_PRIORITY_PAUSE, signal);
  return undefined;
}
