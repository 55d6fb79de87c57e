import { type SubmitRequest, type SubmitWorld, submit } from './submit.ts';

/**
 * Accepts a job that is read later.
 *
 * Input: endpoint, owner, body, idempotency key. Output: the id, and the status in which it was accepted.
 */
export async function run(world: SubmitWorld, request: SubmitRequest): Promise<{ id: string; status: string }> {
  const { id, status } = await submit(world, 'run', request);
  return { id, status };
}
