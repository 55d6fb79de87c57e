import { type SubmitPorts, type SubmitRequest, submit } from './submit.ts';

/**
 * Accepts a job that is read later.
 *
 * Input: endpoint, owner, body, idempotency key. Output: the id, and the status in which it was accepted.
 * @param mayBeStored gets the job's id before the job is stored
 */
export async function run(
  ports: SubmitPorts,
  request: SubmitRequest,
  mayBeStored?: (id: string) => void,
): Promise<{ id: string; status: string }> {
  const { id, status } = await submit(ports, 'run', request, mayBeStored);
  return { id, status };
}
