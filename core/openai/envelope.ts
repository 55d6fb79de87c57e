/**
 * Envelopes: objects in which the agent stores an answer that is not JSON, or a server's error, as the output of a job.
 *
 * An envelope contains the id of its job. A client can let a worker return JSON that the client has written, but the
 * client does not know the id in advance. So only what the agent has written decides the media type of an answer.
 */
import { type JsonObject, jsonText, parseLargeObject } from '../json/json.ts';
import { inSlices, SLICE, type Slices } from '../json/slices.ts';
import { openAiMembers } from './members.ts';

const { job: JOB, status: STATUS, retryAfter: RETRY_AFTER, contentType: CONTENT_TYPE, base64: BASE64 } = openAiMembers;

/** Beginning of every envelope. */
const OPENING = Buffer.from(`{"${JOB}":`);

/** Media type of a body if the response has no `Content-Type`. */
const UNTYPED = 'application/octet-stream';

/** Maximum characters of a media type; a longer one is not sent on. */
const TYPE_CHARACTERS = 256;
/** Form of a media type that is valid in a header. */
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:[\t ;][\t -~]*)?$/;
/** Characters of a date, which is the longest valid `Retry-After`. */
const DATE_CHARACTERS = 'Wed, 21 Oct 2026 07:28:00 GMT'.length;
/** Maximum bytes of a character in JSON, such as `\u0041`. */
const ESCAPED = 6;

/** The content of an envelope. */
export interface Enveloped {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Status of a server's error, unchecked; absent for an answer. */
  readonly status?: unknown;
  /** Value of the header `Retry-After` of a server's error, unchecked. */
  readonly retryAfter?: unknown;
}

/** The head of a server's error response. */
export interface Refusal {
  readonly status?: number | undefined;
  /** Value of the header `Retry-After`. */
  readonly retryAfter?: string | undefined;
}

/**
 * Returns an envelope as JSON text.
 * @param refusal the head of an error response
 */
export const envelopeOf = (
  job: string,
  contentType: string | undefined,
  body: Buffer,
  { status, retryAfter }: Refusal = {},
): string =>
  jsonText({
    [JOB]: JSON.stringify(job),
    [STATUS]: status?.toString(),
    [RETRY_AFTER]: retryAfter && JSON.stringify(retryAfter),
    [CONTENT_TYPE]: JSON.stringify(contentType ?? UNTYPED),
    [BASE64]: `"${body.toString('base64')}"`,
  });

/** Returns the value of a member, or undefined if its text is too long to be a string of `characters`. */
function shortValue(object: JsonObject, name: string, characters: number): unknown {
  const length = object.bytes(name)?.length ?? 0;
  return length <= ESCAPED * characters + '""'.length ? object.value(name) : undefined;
}

function mediaTypeIn(object: JsonObject): string {
  const type = shortValue(object, CONTENT_TYPE, TYPE_CHARACTERS);
  const isValid = typeof type === 'string' && type.length <= TYPE_CHARACTERS && MEDIA_TYPE.test(type);
  return isValid ? type : UNTYPED;
}

const PADDING = /={0,2}$/;

/**
 * Decodes a string in base64.
 * @param json the string with its quotes
 * @returns undefined if a character is invalid
 */
function* bytesIn(json: Buffer): Slices<Buffer | undefined> {
  const text = json.subarray(1, -1);
  const padding = PADDING.exec(text.toString('latin1', text.length - 2))?.[0].length ?? 0;
  const bytes = Buffer.allocUnsafeSlow(Math.floor((text.length * 3) / 4) - padding);
  let end = 0;
  for (let start = 0; start < text.length; start += SLICE) {
    if (start > 0) yield;
    end += bytes.write(text.toString('latin1', start, start + SLICE), end, 'base64');
  }
  return end === bytes.length ? bytes : undefined;
}

/** Returns the content of an envelope of the job, or undefined for any other output. */
export async function opened(output: Buffer, job: string): Promise<Enveloped | undefined> {
  if (!output.subarray(0, OPENING.length).equals(OPENING)) return undefined;
  const object = await parseLargeObject(output, Object.values(openAiMembers));
  const base64 = object.bytes(BASE64);
  if (base64 === undefined || shortValue(object, JOB, job.length) !== job) return undefined;
  const json = Buffer.from(base64.buffer, base64.byteOffset, base64.byteLength);
  const bytes = await inSlices(json.length, () => bytesIn(json));
  const head = { status: shortValue(object, STATUS, 3), retryAfter: shortValue(object, RETRY_AFTER, DATE_CHARACTERS) };
  return bytes && { contentType: mediaTypeIn(object), bytes, ...head };
}
