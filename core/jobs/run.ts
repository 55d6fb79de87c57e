import { type SubmitRequest, type SubmitWorld, submit } from './submit.ts';

/**
 * Accepts a job that is read later.
 *
 * Input: endpoint, owner, body, idempotency key. Output: the id, and the status in which it was accepted.
 * @param mayBeStored gets the job's id before the job is stored
 */
export async function run(
  world: SubmitWorld,
  request: SubmitRequest,
  mayBeStored?: (id: string) => void,
): Promise<{ id: string; status: string }> {
  const { id, status } = await submit(world, 'run', request, mayBeStored);
  return { id, status };
}
