/**
 * Limits the memory of answers: a call reserves the bytes of a large output from the load until its client has read it.
 */

import { type Ports, portsWith } from '../aws/ports.ts';
import { memoryLimits } from '../core/http/limits.ts';
import { type Memory, MemoryFull } from '../core/http/memory.ts';
import type { JobRequest } from '../core/http/request.ts';
import type { ResponseState } from '../core/http/respond.ts';
import type { Objects } from '../core/jobs/store.ts';

/**
 * The largest chunk of a stream is in memory as its bytes, as a text, and as the bytes that are being sent. So is an
 * answer in base64.
 */
export const STREAM_COPIES = 3;

/**
 * Returns the ports for one call. They count each object that the call reads in `memory` until the client has the
 * answer or has left (`request.gone`).
 *
 * A call that may still be refused (`state.isRefusable`) is a 429 if there is no room: nothing has happened yet. Any
 * other call waits for room for `memoryLimits.patience`: its client has waited for the answer for up to five minutes,
 * the status 200 may have left with spaces after it, and a client that gets a 429 of `/runsync` may submit the job
 * again. If there is still no room, a call that has submitted a job fails with `INTERNAL`, whose sentence and
 * `X-Job-Id` say how to read the result; all others with the same error as a 429, in the body alone if the status has
 * left.
 * @param state of the response. @default - the call waits
 * @param copies how many times a byte of an object is in memory at once
 * @returns the ports; its `objects.read` throws MemoryFull
 */
export function withinMemory(
  ports: Ports,
  memory: Memory,
  { endpoint, gone }: JobRequest,
  state: ResponseState = {},
  copies = 1,
): Ports {
  const share = memory.open(endpoint);
  if (gone?.aborted) share.release();
  gone?.addEventListener('abort', () => share.release(), { once: true });

  async function read(key: string): Promise<Uint8Array> {
    const load = () => ports.objects.read(key, (bytes) => share.grow(copies * bytes));
    try {
      return await load();
    } catch (error) {
      if (!(error instanceof MemoryFull) || state.isRefusable) throw error;
      await waitForRoom(error.bytes);
    }
    // The object is opened again, because the wait would keep its connection from others.
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

  const objects: Objects = { write: (key, bytes) => ports.objects.write(key, bytes), read };
  return portsWith(ports, { objects });
}
