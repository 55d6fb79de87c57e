import { type SubmitRequest, type SubmitWorld, submit } from './submit.ts';

/**
 * Accepts a job that is read later.
 *
 * Input: endpoint, owner, body. Output: the id, and the status it is in.
 */
export async function run(world: SubmitWorld, request: SubmitRequest): Promise<{ id: string; status: string }> {
  const { id, status } = await submit(world, 'run', request);
  return { id, status };
}
