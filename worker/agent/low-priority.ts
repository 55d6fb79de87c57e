/** Receives messages of jobs of low priority, and lets normal jobs go first. */
import type { Clock } from '../../core/clock.ts';
import type { Endpoints } from '../../core/endpoints/store.ts';
import { standsBack } from '../../core/jobs/low-priority.ts';
import type { JobQueues, ReceivedMessage } from '../../core/jobs/queues.ts';
import { LOW_PRIORITY_PAUSE, SECOND } from '../../core/limits.ts';

/** A normal message that comes in the same moment is faster by this. */
const COURTESY = 50;

type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/**
 * The message, if its job may start here now. If not it is hidden from all workers for a moment, and this one asks for
 * no other meanwhile: thousands may wait, and each look at one costs two requests.
 */
export async function admit(
  {
    clock,
    endpoints,
    jobQueues,
  }: { readonly clock: Clock; readonly endpoints: Endpoints; readonly jobQueues: JobQueues },
  message: ReceivedMessage,
  pause: Pause,
  signal: AbortSignal,
): Promise<ReceivedMessage | undefined> {
  const endpoint = await endpoints.read(message.endpoint);
  if (!endpoint || !standsBack(endpoint, message.sentAt, clock.now())) {
    await pause(COURTESY, signal);
    return message;
  }
  await jobQueues.hide(message, LOW_PRIORITY_PAUSE + SECOND);
  await pause(LOW_PRIORITY_PAUSE, signal);
  return undefined;
}
