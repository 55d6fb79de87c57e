import type { JsonText } from '../json.ts';
import type { QueryValue } from '../validation.ts';
import { type FindPorts, find } from './find.ts';
import type { JobKey } from './job.ts';
import { type JobRecordPorts, recordOf } from './record.ts';
import { parseTtl, shorten } from './shorten.ts';

export interface StatusRequest extends JobKey {
  /** The query parameter `ttl`, as it came: for how many milliseconds the result shall be kept at most. */
  readonly ttl?: QueryValue;
}

/**
 * Reads a job.
 *
 * Input: endpoint, job id, ttl. Output: the job record as JSON text.
 *  1. Refuse a ttl that is none, an unknown endpoint, an unknown job, and one whose result has expired.
 *  2. With a ttl, let the result expire sooner.
 *  3. Answer what the job is by now, and while it waits where it stands and why.
 */
export async function status(ports: FindPorts & JobRecordPorts, { ttl, ...key }: StatusRequest): Promise<JsonText> {
  const milliseconds = parseTtl(ttl);
  const job = milliseconds === undefined ? (await find(ports, key)).job : await shorten(ports, key, milliseconds);
  return recordOf(ports, job);
}
