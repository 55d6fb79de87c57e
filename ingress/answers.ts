/**
 * Limits the memory of responses: a call reserves the bytes of a large output when it loads the output, and releases
 * them after its client has read the response.
 */

import { type Ports, portsWith } from '../aws/ports.ts';
import type { AnswerMemory } from '../core/http/answer-memory.ts';
import type { JobRequest } from '../core/http/request.ts';
import type { ResponseState } from '../core/http/respond.ts';
import type { Objects } from '../core/jobs/store.ts';
import { type Memory, MemoryFull } from './memory.ts';
import { memoryLimits } from './transfer-limits.ts';

/**
 * The largest chunk of a stream is in memory three times: as its bytes, as a string, and as the bytes that are being
 * sent. The same applies to a response in base64.
 */
export const STREAM_COPIES = 3;

/**
 * Returns the ports for one call. The largest object that the call reads, and what it holds in `answerMemory`, count
 * against `memory` until the client has received the response or disconnected (`request.gone`).
 *
 * A call that can still be refused (`state.isRefusable`) gets a 429 if there is no room, because nothing has happened
 * yet. Any other call waits up to `memoryLimits.patience` for room. Its client has waited for up to ten minutes, the
 * status 200 might already be sent with spaces after it, and a client that gets a 429 from `/runsync` might submit
 * the job again. If there is still no room, a call that has submitted a job fails with `INTERNAL`, whose message and
 * `X-Job-Id` explain how to read the result. All other calls fail with the error of a 429, which is only in the body
 * if the status was already sent.
 * @param state state of the response; by default, the call waits
 * @param copies how many times a byte of an object is in memory at the same time
 * @returns the ports. Their `objects.read` and `answerMemory.hold` throw MemoryFull, or an Error if the call has submitted
 * a job
 */
export function withinMemory(
  ports: Ports,
  memory: Memory,
  { endpoint, gone }: JobRequest,
  state: ResponseState = {},
  copies = 1,
): Ports & { readonly answerMemory: AnswerMemory } {
  const share = memory.open(endpoint);
  /** Bytes of the largest object with its copies, and bytes that the call holds besides. */
  let [largest, held] = [0, 0];
  if (gone?.aborted) share.release();
  gone?.addEventListener('abort', () => share.release(), { once: true });

  async function read(key: string, reserve?: (bytes: number) => void): Promise<Uint8Array> {
    const load = () =>
      ports.objects.read(key, (bytes) => {
        reserve?.(bytes);
        largest = Math.max(largest, copies * bytes);
        share.grow(largest + held);
      });
    try {
      return await load();
    } catch (error) {
      if (!(error instanceof MemoryFull) || state.isRefusable) throw error;
      await waitForRoom(error.bytes);
    }
    // The object is opened again, because keeping it open during the wait would block its connection.
    return load();
  }

  async function waitForRoom(bytes: number): Promise<void> {
    try {
      await share.growInTime(bytes, memoryLimits.patience);
    } catch (cause) {
      if (state.jobId === undefined) throw cause;
      throw new Error('There was no memory for the output of the job.', { cause });
    }
  }

  const answerMemory: AnswerMemory = {
    async hold(bytes) {
      held = Math.max(held, bytes);
      await waitForRoom(largest + held);
    },
  };
  const objects: Objects = { write: (key, bytes) => ports.objects.write(key, bytes), read };
  return portsWith(ports, { objects, answerMemory });
}
