/** Where a payload goes: small texts travel in the job itself, larger ones in the payload table, the largest in objects. */
import type { Clock } from '../clock.ts';
import { JobNotFound } from '../errors.ts';
import { DAY, payloadLimits, policyLimits, REMOVE_AFTER, REPORT_GRACE, retention, SECOND } from '../limits.ts';
import type { Job, JobKey, PayloadRef, RunningJob } from './job.ts';
import type { Objects, Payloads, Secrets } from './store.ts';

/**
 * Objects are kept for one of these numbers of days, counted from when they are written; it is the first part of their
 * key, because rules of the bucket go by prefix. The last one outlives any job: three attempts of a week's wait and a
 * week's run each.
 */
export const objectDays = [2, 8, 50] as const;

/** @param life milliseconds */
const daysFor = (life: number) => objectDays.find((days) => days * DAY >= life) ?? objectDays.at(-1);

const decoded = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('utf8');

/** The prefixes of an endpoint's objects, and of no other's. */
export const objectPrefixesOf = (endpoint: string): string[] => objectDays.map((days) => `${days}/${endpoint}/`);

/** The one among them of its outputs and errors: however long the job took, they are kept no longer than this. */
export const resultPrefixOf = (endpoint: string): string =>
  `${daysFor(Math.max(...Object.values(retention)) + REMOVE_AFTER)}/${endpoint}/`;

/** The longest that a chunk is read after it was stored: the job may run on for a week. */
const CHUNK_LIFE = policyLimits.executionTimeout.max + REPORT_GRACE + Math.max(...Object.values(retention));

/** Those of chunks, which are kept until their job has ended too. */
export const chunkPrefixesOf = (endpoint: string): string[] =>
  objectDays
    .slice(0, objectDays.findIndex((days) => days * DAY >= CHUNK_LIFE) + 1)
    .map((days) => `${days}/${endpoint}/`);

/** @param removeAfter when no caller can read it any more, in seconds since the epoch */
const objectKey = ({ endpoint, id }: JobKey, name: string, removeAfter: number, now: number): string =>
  `${daysFor(removeAfter * SECOND - now)}/${endpoint}/${id}/${name}`;

/**
 * Makes the text durable and says where it is. Called before the job refers to it.
 * @param text in UTF-8; what becomes an object is not copied
 * @param inline bytes up to which it stays in the job itself
 */
export async function store(
  { clock, objects, payloads }: { readonly clock: Clock; readonly objects: Objects; readonly payloads: Payloads },
  key: JobKey,
  name: string,
  text: Uint8Array,
  removeAfter: number,
  inline: number = payloadLimits.inline,
): Promise<PayloadRef> {
  if (text.length <= inline) return { inline: decoded(text) };
  if (text.length <= payloadLimits.item) {
    await payloads.write(key, name, decoded(text), removeAfter);
    return { stored: name };
  }
  const object = objectKey(key, name, removeAfter, clock.now());
  await objects.write(object, text);
  return { object };
}

/** Makes a chunk durable that is too large for an item. */
export async function storeChunkObject(
  { clock, objects }: { readonly clock: Clock; readonly objects: Objects },
  job: RunningJob,
  number: number,
  text: string,
): Promise<PayloadRef> {
  const lastRead = job.executionDeadline + REPORT_GRACE + job.retention;
  const object = objectKey(job, `chunk#${job.attempt}#${number}`, Math.ceil(lastRead / SECOND), clock.now());
  await objects.write(object, Buffer.from(text));
  return { object };
}

/** An object's key: for how many days it is kept, and whose it is. */
const OBJECT_KEY = /^\d+\/(?<endpoint>[^/]+)\/(?<id>[^/]+)\/[^/]+$/;

/**
 * User code writes items with the role of its endpoint's workers, so an item may name the object of any job.
 * @throws JobNotFound if the object is not the job's: the item that names it is none of this service's
 */
function assertOwn({ endpoint, id }: JobKey, object: string): void {
  const owner = OBJECT_KEY.exec(object)?.groups;
  if (owner?.endpoint !== endpoint || owner.id !== id) throw new JobNotFound(endpoint, id);
}

export type LoadPorts = { readonly objects: Objects; readonly payloads: Payloads };

async function loadObject({ objects }: LoadPorts, key: JobKey, object: string): Promise<Uint8Array> {
  assertOwn(key, object);
  return objects.read(object);
}

/**
 * Reads what a job's item, or one of its chunks, refers to. An item of the payload table is the job's by its key.
 * @returns a text, or of an object, which may be large, its bytes in UTF-8
 * @throws JobNotFound if the reference names an object of another job
 */
export async function loadBytes(ports: LoadPorts, key: JobKey, ref: PayloadRef): Promise<string | Uint8Array> {
  if ('inline' in ref) return ref.inline;
  if ('stored' in ref) return ports.payloads.read(key, ref.stored);
  return loadObject(ports, key, ref.object);
}

/**
 * The same as a text, which takes up to twice the memory of its bytes.
 * @throws JobNotFound if the reference names an object of another job
 */
export async function load(ports: LoadPorts, key: JobKey, ref: PayloadRef): Promise<string> {
  const loaded = await loadBytes(ports, key, ref);
  return typeof loaded === 'string' ? loaded : decoded(loaded);
}

/**
 * Writes what a job needs to start again, and to tell of its end, where it is, so that it is kept until `removeAfter` at least.
 * @throws JobNotFound if a reference names an object of another job
 */
export async function keepLonger(ports: LoadPorts, job: Job, removeAfter: number): Promise<void> {
  for (const ref of [job.input, job.s3Config, job.webhook]) {
    if (ref && 'stored' in ref) await ports.payloads.write(job, ref.stored, await load(ports, job, ref), removeAfter);
    // The first part of its key says for how many days; writing it again starts them again.
    if (ref && 'object' in ref) await ports.objects.write(ref.object, await loadObject(ports, job, ref.object));
  }
}

/**
 * `s3Config`: how to reach the client's own storage, secrets among it. It is sealed before it is stored, stored wherever
 * it fits as any payload, and opened only by the worker that runs the job.
 *
 * @param text JSON text as it came
 */
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
