/** Stores payloads: small ones in the job itself, larger ones in the payload table, the largest in objects. */
import type { Clock } from '../clock.ts';
import { DAY, payloadLimits, policyLimits, REMOVE_AFTER, REPORT_GRACE, retention, SECOND } from '../limits.ts';
import { JobNotFound } from '../requests/errors.ts';
import type { Job, JobKey, PayloadRef, RunningJob } from './job.ts';
import type { Objects, Payloads, Secrets } from './store.ts';

/**
 * Possible lifetimes of objects in days. The lifetime is the first part of an object's key, because lifecycle
 * rules of the bucket select by prefix. The longest exceeds that of any job: three attempts with a week of waiting
 * and a week of running each.
 */
export const objectDays = [2, 8, 50] as const;

/**
 * Returns the lifetime class of an object: the shortest lifetime rule, in days, that keeps it long enough.
 * @param life milliseconds
 */
const daysFor = (life: number) => objectDays.find((days) => days * DAY >= life) ?? objectDays.at(-1);

const decoded = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('utf8');

/** Returns the key prefixes of an endpoint's objects. */
export const objectPrefixesOf = (endpoint: string): string[] => objectDays.map((days) => `${days}/${endpoint}/`);

/**
 * Returns the key prefix of an endpoint's outputs and errors, whose lifetime does not depend on the duration of
 * the job.
 */
export const resultPrefixOf = (endpoint: string): string =>
  `${daysFor(Math.max(...Object.values(retention)) + REMOVE_AFTER)}/${endpoint}/`;

/** Longest time for which a stored chunk can be read: the job can continue to run for a week. */
const CHUNK_LIFE = policyLimits.executionTimeout.max + REPORT_GRACE + Math.max(...Object.values(retention));

/** Returns the key prefixes of an endpoint's chunks, which are retained until after their job has ended. */
export const chunkPrefixesOf = (endpoint: string): string[] =>
  objectDays
    .slice(0, objectDays.findIndex((days) => days * DAY >= CHUNK_LIFE) + 1)
    .map((days) => `${days}/${endpoint}/`);

/**
 * Returns the key of a payload's object. Its prefix selects the bucket's lifetime rule.
 * @param removeAfter when callers can no longer read the object, in seconds since the epoch
 */
const objectKey = ({ endpoint, id }: JobKey, name: string, removeAfter: number, now: number): string =>
  `${daysFor(removeAfter * SECOND - now)}/${endpoint}/${id}/${name}`;

/**
 * Stores the text and returns its location. Called before the job refers to the text.
 * @param text in UTF-8; a text that is stored as an object is not copied
 * @param inline maximum bytes of a text that is stored in the job itself (`item-size.ts`)
 * @param item maximum bytes of a text that is stored in the payload table
 */
export async function store(
  { clock, objects, payloads }: { readonly clock: Clock; readonly objects: Objects; readonly payloads: Payloads },
  key: JobKey,
  name: string,
  text: Uint8Array,
  removeAfter: number,
  inline: number,
  item: number = payloadLimits.item,
): Promise<PayloadRef> {
  if (text.length <= inline) return { inline: decoded(text) };
  if (text.length <= item) {
    await payloads.write(key, name, decoded(text), removeAfter);
    return { stored: name, bytes: text.length };
  }
  const object = objectKey(key, name, removeAfter, clock.now());
  await objects.write(object, text);
  return { object, bytes: text.length };
}

/** Stores a chunk that is too large for an item. */
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

/** Bytes of the largest input: a body in base64, and the members before it. */
const MAX_INPUT_BYTES = 1.5 * payloadLimits.body.runsync;

/** Form of an object's key: lifetime in days, endpoint, job and name. */
const OBJECT_KEY = /^\d+\/(?<endpoint>[^/]+)\/(?<id>[^/]+)\/[^/]+$/;

/**
 * Refuses an object of another job. User code can write items with the role of its endpoint's workers, so an item
 * could name the object of any job.
 * @throws JobNotFound if the object belongs to another job
 */
function assertOwn({ endpoint, id }: JobKey, object: string): void {
  const owner = OBJECT_KEY.exec(object)?.groups;
  if (owner?.endpoint !== endpoint || owner.id !== id) throw new JobNotFound(endpoint, id);
}

export type LoadPorts = { readonly objects: Objects; readonly payloads: Payloads };

/**
 * Refuses an object of another job, and before it is loaded, an object that is larger than any that the service writes.
 */
async function loadObject({ objects }: LoadPorts, key: JobKey, object: string, limit: number): Promise<Uint8Array> {
  assertOwn(key, object);
  return objects.read(object, (bytes) => {
    if (bytes > limit) throw new JobNotFound(key.endpoint, key.id);
  });
}

/**
 * Reads the payload that a job's item or chunk refers to. The key of an item in the payload table contains its
 * job.
 * @param limit maximum bytes of an object
 * @returns a string; for an object, which can be large, its bytes in UTF-8
 * @throws JobNotFound if the reference names an object of another job, or a larger object
 */
export async function loadBytes(
  ports: LoadPorts,
  key: JobKey,
  ref: PayloadRef,
  limit: number = MAX_INPUT_BYTES,
): Promise<string | Uint8Array> {
  if ('inline' in ref) return ref.inline;
  if ('stored' in ref) return ports.payloads.read(key, ref.stored);
  return loadObject(ports, key, ref.object, limit);
}

/**
 * Reads a payload as a string, which takes up to twice the memory of its bytes.
 * @param limit maximum bytes of an object
 * @throws JobNotFound if the reference names an object of another job, or a larger object
 */
export async function load(ports: LoadPorts, key: JobKey, ref: PayloadRef, limit?: number): Promise<string> {
  const loaded = await loadBytes(ports, key, ref, limit);
  return typeof loaded === 'string' ? loaded : decoded(loaded);
}

/**
 * Reads the error of a job.
 * @throws as `load`
 */
export const loadError = (ports: LoadPorts, job: Extract<Job, Record<'status', 'FAILED'>>): Promise<string> =>
  load(ports, job, job.error, payloadLimits.errorItem);

/**
 * Rewrites the input, `s3Config` and webhook of a retried job in place, so that they are retained until
 * `removeAfter` at least.
 * @throws JobNotFound if a reference names an object of another job
 */
export async function keepLonger(ports: LoadPorts, job: Job, removeAfter: number): Promise<void> {
  for (const ref of [job.input, job.s3Config, job.webhook]) {
    if (ref && 'stored' in ref) await ports.payloads.write(job, ref.stored, await load(ports, job, ref), removeAfter);
    // Writing the object again restarts the lifetime in its key.
    if (ref && 'object' in ref)
      await ports.objects.write(ref.object, await loadObject(ports, job, ref.object, MAX_INPUT_BYTES));
  }
}

/**
 * Seals and stores `s3Config`, which contains the location and the credentials of the client's own storage. Only
 * the worker that runs the job opens it.
 *
 * @param text JSON text as received
 */
export async function storeS3Config(
  ports: { readonly clock: Clock; readonly objects: Objects; readonly payloads: Payloads; readonly secrets: Secrets },
  key: JobKey,
  text: string,
  removeAfter: number,
): Promise<PayloadRef> {
  const sealed = Buffer.from(await ports.secrets.seal(key, text));
  return store(ports, key, 's3Config', sealed, removeAfter, 0);
}

/**
 * Loads the sealed `s3Config` of a job, and decrypts it.
 * @returns JSON text, or undefined if the job has no `s3Config`
 */
export async function loadS3Config(
  ports: { readonly objects: Objects; readonly payloads: Payloads; readonly secrets: Secrets },
  job: RunningJob,
): Promise<string | undefined> {
  return job.s3Config && ports.secrets.open(job, await load(ports, job, job.s3Config));
}
