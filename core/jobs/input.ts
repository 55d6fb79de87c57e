import { JsonText } from '../json.ts';
import type { World } from '../world.ts';
import { type FindWorld, find } from './find.ts';
import type { JobKey } from './job.ts';
import { loadBytes } from './payload.ts';

export type InputWorld = FindWorld & Pick<World, 'objects' | 'payloads'>;

/**
 * Reads the input of a job, which `status` leaves out.
 *
 * Input: endpoint, job id. Output: the JSON text of `input`, byte for byte as the client sent it. `policy`, `webhook` and
 * `s3Config`, which has secrets, are stored apart from it.
 * @throws EndpointNotFound, JobNotFound, or JobExpired if its result is no longer kept
 */
export async function input(world: InputWorld, key: JobKey): Promise<JsonText> {
  const { job } = await find(world, key);
  return new JsonText([await loadBytes(world, job, job.input)]);
}
