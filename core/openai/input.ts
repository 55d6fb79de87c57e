/** Creates the job input for a request to `/openai/*`. */

import { parseLargeObject } from '../json/json.ts';
import { inSlices, type Slices } from '../json/slices.ts';
import { InvalidRequest } from '../requests/errors.ts';
import { shown } from '../requests/validation.ts';
import { hasDotSegment } from './dot-segments.ts';
import { boundaryOf, formWantsStream } from './form.ts';
import { openAiMembers } from './members.ts';

/** A request below `/openai`. */
export interface OpenAiHttp {
  /** `GET`, which has no body, `POST`, or a method that only HTTP servers of workers know. */
  readonly method: string;
  /** Decoded path below `/openai/`, such as `v1/chat/completions`. */
  readonly path: string;
  /** Unparsed query string without its question mark. */
  readonly queryText: string;
  /** The header `Content-Type`, if the client sent it. */
  readonly contentType?: string | undefined;
  readonly body: Uint8Array;
}

export interface OpenAiInput {
  /** The input as JSON text. */
  readonly text: Uint8Array;
  /** Whether the client requests the answer as an event stream. */
  readonly isStream: boolean;
}

/** Characters that are valid in a path, but that `encodeURIComponent` encodes. */
const UNENCODED = /%(?:24|26|2B|2C|3A|3B|3D|40)/g;

function encodedSegment(segment: string): string {
  if (hasDotSegment(segment))
    throw new InvalidRequest(
      `The path below \`/openai\` contains the segment ${shown(segment)}, which a server can read as \`.\` or \`..\`; remove it.`,
    );
  if (!segment.isWellFormed()) throw new InvalidRequest('The path below `/openai` is not valid UTF-8.');
  return encodeURIComponent(segment).replace(UNENCODED, decodeURIComponent);
}

/** Methods that only a worker with an HTTP server can answer: workers that ask for jobs know only GET and POST. */
const serverMethods = ['PUT', 'PATCH', 'DELETE'] as const;

export type ServerMethod = (typeof serverMethods)[number];

/** Reports whether only HTTP servers of workers know the method. */
export const isServerMethod = (method: unknown): method is ServerMethod =>
  (serverMethods as readonly unknown[]).includes(method);

/** Encodes the path below `/openai` as in a URL, because API Gateway and the ingress decode it differently. */
const routeOf = (path: string): string => `/${path.split('/').map(encodedSegment).join('/')}`;

const mediaTypeOf = (contentType: string): string => contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';

const isJson = (mediaType: string): boolean => mediaType === 'application/json' || mediaType.endsWith('+json');

const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const TRUE = Buffer.from('true');

/** Returns the beginning of the input, with all members before the body. */
function headOf({ method, path, queryText }: OpenAiHttp, more: Readonly<Record<string, string>> = {}): string {
  const verb = isServerMethod(method) ? { [openAiMembers.method]: method } : {};
  const query = queryText === '' ? {} : { [openAiMembers.query]: queryText };
  return JSON.stringify({ [openAiMembers.route]: routeOf(path), ...verb, ...query, ...more }).slice(0, -1);
}

/** Appends the last member to the head and closes the object. */
const withLast = (head: string, name: string, value: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from(`${head},"${name}":`), value, Buffer.from('}')]);

/**
 * Number of bytes that are encoded between two pauses, a multiple of three because base64 encodes three bytes as four
 * characters.
 */
const ENCODED_AT_ONCE = 3 * 65_536;

/**
 * Appends a last member with the bytes in base64 and closes the object. A large body is in memory only once as
 * text.
 */
function* withBase64(head: string, name: string, bytes: Buffer): Slices<Uint8Array> {
  const [before, after] = [Buffer.from(`${head},"${name}":"`), '"}'];
  const text = Buffer.allocUnsafeSlow(before.length + Math.ceil(bytes.length / 3) * 4 + after.length);
  let end = before.copy(text);
  for (let start = 0; start < bytes.length; start += ENCODED_AT_ONCE) {
    if (start > 0) yield;
    end += text.write(bytes.toString('base64', start, start + ENCODED_AT_ONCE), end, 'latin1');
  }
  text.write(after, end, 'latin1');
  return text;
}

/**
 * Creates the job input for a request.
 * @throws InvalidRequest if the path, the JSON object or the form is invalid
 */
export async function openAiInput(request: OpenAiHttp): Promise<OpenAiInput> {
  const { method, contentType = 'application/json', body } = request;
  if (method === 'GET' || (isServerMethod(method) && body.length === 0))
    return { text: Buffer.from(`${headOf(request)}}`), isStream: false };
  const mediaType = mediaTypeOf(contentType);
  if (isJson(mediaType)) {
    // The agent would send a POST without a body as a GET.
    if (body.length === 0)
      return { text: withLast(headOf(request), openAiMembers.input, Buffer.from('{}')), isStream: false };
    const stream = (await parseLargeObject(body, ['stream'])).bytes('stream');
    const isStream = stream !== undefined && TRUE.equals(stream);
    return { text: withLast(headOf(request), openAiMembers.input, body), isStream };
  }
  const bytes = viewOf(body);
  const boundary = mediaType === 'multipart/form-data' ? boundaryOf(contentType) : undefined;
  const isStream = boundary !== undefined && (await inSlices(bytes.length, () => formWantsStream(boundary, bytes)));
  const head = headOf(request, { [openAiMembers.contentType]: contentType });
  const text = await inSlices(bytes.length, () => withBase64(head, openAiMembers.base64, bytes));
  return { text, isStream };
}
