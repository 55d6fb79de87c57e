/**
 * `s3Config`: how to reach the client's own storage, secrets among it. It is sealed before it is stored, stored wherever
 * it fits as any payload, opened by the worker that runs the job, and read by nobody else.
 */
import type { Ports } from '../ports.ts';
import type { JobKey, PayloadRef, RunningJob } from './job.ts';
import { load, store } from './payload.ts';

/** @param text JSON text as it came */
export async function storeS3Config(
  ports: Pick<Ports, 'clock' | 'objects' | 'payloads' | 'secrets'>,
  key: JobKey,
  text: string,
  removeAfter: number,
): Promise<PayloadRef> {
  const sealed = Buffer.from(await ports.secrets.seal(key, text));
  return store(ports, key, 's3Config', sealed, removeAfter);
}

/** @returns its JSON text, if the job has one */
export async function loadS3Config(
  ports: Pick<Ports, 'objects' | 'payloads' | 'secrets'>,
  job: RunningJob,
): Promise<string | undefined> {
  return job.s3Config && ports.secrets.open(job, await load(ports, job, job.s3Config));
}
