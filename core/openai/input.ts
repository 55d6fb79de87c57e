/** The input of the job that a request of `/openai/*` becomes. */
import { InvalidRequest } from '../errors.ts';
import { parseLargeObject } from '../json.ts';
import { openAiMembers } from './members.ts';

/** A request below `/openai`. */
export interface OpenAiHttp {
  /** `GET`, which has no body, or `POST`. */
  readonly method: string;
  /** Path below `/openai/`, decoded, such as `v1/chat/completions`. */
  readonly path: string;
  /** Query string without its question mark, as it came. */
  readonly queryText: string;
  /** The header `Content-Type`, if it came. */
  readonly contentType?: string | undefined;
  readonly body: Uint8Array;
}

export interface OpenAiInput {
  /** JSON text. */
  readonly text: Uint8Array;
  /** Whether the client wants the answer as a stream of events. */
  readonly isStream: boolean;
}

/** Characters that a path may hold as they are, and that `encodeURIComponent` encodes. */
const UNENCODED = /%(?:24|26|2B|2C|3A|3B|3D|40)/g;

function encodedSegment(segment: string): string {
  if (segment === '.' || segment === '..')
    throw new InvalidRequest(`The path below \`/openai\` has the segment \`${segment}\`; leave it out.`);
  if (!segment.isWellFormed()) throw new InvalidRequest('The path below `/openai` is not valid UTF-8.');
  return encodeURIComponent(segment).replace(UNENCODED, decodeURIComponent);
}

/** The path below `/openai`, encoded as in a URL: both gateways decode it in their own way. */
const routeOf = (path: string): string => `/${path.split('/').map(encodedSegment).join('/')}`;

const mediaTypeOf = (contentType: string): string => contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';

const isJson = (mediaType: string): boolean => mediaType === 'application/json' || mediaType.endsWith('+json');

const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

async function formWantsStream(contentType: string, body: Uint8Array): Promise<boolean> {
  // Few forms have the field, and to parse one takes several times its memory.
  if (!viewOf(body).includes('stream')) return false;
  const whole = new Response(Uint8Array.from(body), { headers: { 'Content-Type': contentType } });
  const form = await whole.formData().catch((cause: unknown) => {
    throw new InvalidRequest(
      'The body is not valid `multipart/form-data`: its parts must be separated by the `boundary` of `Content-Type`.',
      { cause },
    );
  });
  return form.getAll('stream').at(-1) === 'true';
}

/** Members of the input before the body. */
function headOf({ path, queryText }: OpenAiHttp, more: Readonly<Record<string, string>> = {}): string {
  const query = queryText === '' ? {} : { [openAiMembers.query]: queryText };
  return JSON.stringify({ [openAiMembers.route]: routeOf(path), ...query, ...more }).slice(0, -1);
}

/** Adds the last member to a head, and ends the object. */
const withLast = (head: string, name: string, ...value: readonly (string | Uint8Array)[]): Uint8Array =>
  Buffer.concat(
    [`${head},"${name}":`, ...value, '}'].map((part) => (typeof part === 'string' ? Buffer.from(part) : part)),
  );

/**
 * Makes the input of a job of a request.
 * @throws InvalidRequest if the path, or a body that should be a JSON object or a form, is not valid
 */
export async function openAiInput(request: OpenAiHttp): Promise<OpenAiInput> {
  const { method, contentType = 'application/json', body } = request;
  if (method === 'GET') return { text: Buffer.from(`${headOf(request)}}`), isStream: false };
  const mediaType = mediaTypeOf(contentType);
  if (isJson(mediaType)) {
    // The agent makes a GET of a call without a body.
    if (body.length === 0) return { text: withLast(headOf(request), openAiMembers.input, '{}'), isStream: false };
    const isStream = (await parseLargeObject(body, ['stream'])).text('stream') === 'true';
    return { text: withLast(headOf(request), openAiMembers.input, body), isStream };
  }
  const isStream = mediaType === 'multipart/form-data' && (await formWantsStream(contentType, body));
  const head = headOf(request, { [openAiMembers.contentType]: contentType });
  const base64 = viewOf(body).toString('base64');
  return { text: withLast(head, openAiMembers.base64, '"', base64, '"'), isStream };
}
