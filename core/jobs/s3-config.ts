/**
 * `s3Config`: how to reach the client's own storage, secrets among it. It is sealed before it is stored, stored wherever
 * it fits as any payload, opened by the worker that runs the job, and read by nobody else.
 */
import type { World } from '../world.ts';
import type { JobKey, PayloadRef, RunningJob } from './job.ts';
import { load, store } from './payload.ts';

/** @param text JSON text as it came */
export async function storeS3Config(
  world: Pick<World, 'clock' | 'objects' | 'payloads' | 'secrets'>,
  key: JobKey,
  text: string,
  removeAfter: number,
): Promise<PayloadRef> {
  const sealed = Buffer.from(await world.secrets.seal(key, text));
  return store(world, key, 's3Config', sealed, removeAfter);
}

/** @returns its JSON text, if the job has one */
export async function loadS3Config(
  world: Pick<World, 'objects' | 'payloads' | 'secrets'>,
  job: RunningJob,
): Promise<string | undefined> {
  return job.s3Config && world.secrets.open(job, await load(world, job, job.s3Config));
}
