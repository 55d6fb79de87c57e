/**
 * `s3Config`: how to reach the client's own storage, secrets among it. It is sealed before it is stored, stored wherever
 * it fits as any payload, opened by the worker that runs the job, and read by nobody else.
 */
import type { Clock } from '../clock.ts';
import type { JobKey, PayloadRef, RunningJob } from './job.ts';
import { load, store } from './payload.ts';
import type { Objects, Payloads, Secrets } from './store.ts';

/** @param text JSON text as it came */
export async function storeS3Config(
  ports: { readonly clock: Clock; readonly objects: Objects; readonly payloads: Payloads; readonly secrets: Secrets },
  key: JobKey,
  text: string,
  removeAfter: number,
): Promise<PayloadRef> {
  const sealed = Buffer.from(await ports.secrets.seal(key, text));
  return store(ports, key, 's3Config', sealed, removeAfter);
}

/** @returns its JSON text, if the job has one */
export async function loadS3Config(
  ports: { readonly objects: Objects; readonly payloads: Payloads; readonly secrets: Secrets },
  job: RunningJob,
): Promise<string | undefined> {
  return job.s3Config && ports.secrets.open(job, await load(ports, job, job.s3Config));
}
