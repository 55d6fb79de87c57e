import { JsonText } from '../json/json.ts';
import { type FindPorts, find } from './find.ts';
import type { JobKey } from './job.ts';
import { loadBytes } from './payload.ts';
import type { Objects, Payloads } from './store.ts';

export type InputPorts = FindPorts & { readonly objects: Objects; readonly payloads: Payloads };

/**
 * Reads the input of a job, which `status` omits.
 *
 * Input: endpoint, job id. Output: the JSON text of `input`, byte for byte as the client sent it. `policy`,
 * `webhook` and `s3Config`, which contains secrets, are stored separately.
 * @throws EndpointNotFound, JobNotFound, or JobExpired if its result is no longer retained
 */
export async function input(ports: InputPorts, key: JobKey): Promise<JsonText> {
  const { job } = await find(ports, key);
  return new JsonText([await loadBytes(ports, job, job.input)]);
}
