/** Reads the HTTP call from the input of a job. The agent makes the call if the worker is an HTTP server. */

import { type JsonObject, parseLargeObject } from '../json/json.ts';
import { InvalidRequest } from '../requests/errors.ts';
import { shortened } from '../requests/shortened.ts';
import { hasDotSegment } from './dot-segments.ts';
import { openAiMembers } from './members.ts';

const {
  route: ROUTE,
  method: METHOD,
  input: INPUT,
  query: QUERY,
  contentType: CONTENT_TYPE,
  base64: BASE64,
} = openAiMembers;

export interface OpenAiCall {
  /** Path that begins with `/v1/`, with the query string if there is one. */
  readonly path: string;
  /**
   * HTTP method of the call.
   * @default - POST if the call has a body, otherwise GET
   */
  readonly method?: string;
  /** Media type of the body. */
  readonly contentType?: string | undefined;
  /** Body of the call, if it has one. */
  readonly body?: Buffer;
}

/** The rule for a member. `must` completes the sentence "it must be …". */
interface TextRule {
  readonly characters: number;
  readonly allowed: RegExp;
  readonly must: string;
}

const routeRule: TextRule = {
  characters: 2_048,
  allowed: /^\/v1\/[\w\-.~!$&'()*+,;=:@%/]+$/,
  must: 'a path that begins with `/v1/`, such as `/v1/chat/completions`, without segments that a server can read as `.` or `..`, and without a query string',
};
const methodRule: TextRule = {
  characters: 6,
  allowed: /^(?:GET|POST|PUT|PATCH|DELETE)$/,
  must: '`GET`, `POST`, `PUT`, `PATCH` or `DELETE`',
};
const queryRule: TextRule = {
  characters: 8_192,
  allowed: /^[!"$-~]*$/,
  must: 'the query string of a URL, without its question mark',
};
const typeRule: TextRule = {
  characters: 1_024,
  allowed: /^[!-~][ -~]*$/,
  must: 'a media type, such as `multipart/form-data; boundary=x`',
};

/** Maximum length of an ASCII character in JSON, such as `\u0041`. */
const MAX_ESCAPED = 6;

function wrong(object: JsonObject, name: string, must: string): InvalidRequest {
  return new InvalidRequest(`\`${name}\` is ${shortened(object.text(name) ?? '')}; it must be ${must}.`);
}

/**
 * Returns a member that must be a text of a certain form, or undefined if it is absent.
 * @throws InvalidRequest
 */
function textOf(object: JsonObject, name: string, { characters, allowed, must }: TextRule): string | undefined {
  const size = object.bytes(name)?.length;
  if (size === undefined) return undefined;
  const value = size <= characters * MAX_ESCAPED ? object.value(name) : undefined;
  if (typeof value === 'string' && value.length <= characters && allowed.test(value)) return value;
  throw wrong(object, name, `${must}, of at most ${characters} characters`);
}

const isControl = (character: string) => character < ' ' || character === '\x7f';

/** Returns whether the decoded route stays below its prefix. */
function staysBelow(route: string): boolean {
  try {
    const decoded = decodeURIComponent(route);
    return !hasDotSegment(route) && ![...decoded].some(isControl);
  } catch {
    return false;
  }
}

const NOT_BASE64 = /[^A-Za-z\d+/]/;
const PADDING = /={1,2}$/;

/**
 * Decodes the body that the input contains as base64.
 * @throws InvalidRequest
 */
function bytesIn(object: JsonObject): Buffer {
  // Parsing a long string is safe, because it is one value and not a tree.
  const text = object.value(BASE64);
  if (typeof text === 'string' && text.length % 4 === 0 && !NOT_BASE64.test(text.replace(PADDING, '')))
    return Buffer.from(text, 'base64');
  throw wrong(object, BASE64, 'base64 with its padding');
}

/**
 * Returns the body of the call and its media type: JSON, bytes, or none.
 * @throws InvalidRequest
 */
function bodyIn(object: JsonObject): Pick<OpenAiCall, 'contentType' | 'body'> {
  // RunPod's worker for vLLM makes a GET if this member is null.
  const json = object.text(INPUT) === 'null' ? undefined : object.bytes(INPUT);
  const hasBytes = object.bytes(BASE64) !== undefined;
  const contentType = textOf(object, CONTENT_TYPE, typeRule);
  if (json && hasBytes)
    throw new InvalidRequest(`The input has both \`${INPUT}\` and \`${BASE64}\`; send only one of them.`);
  if (hasBytes) return { body: bytesIn(object), contentType };
  if (contentType !== undefined)
    throw new InvalidRequest(
      `The input has \`${CONTENT_TYPE}\` without \`${BASE64}\`; send the bytes of the body in \`${BASE64}\`.`,
    );
  if (!json) return {};
  const { buffer, byteOffset, byteLength } = json;
  return { body: Buffer.from(buffer, byteOffset, byteLength), contentType: 'application/json' };
}

/**
 * Reads the call from the input of a job.
 * @param input JSON in UTF-8; a JSON body of the call is a view of it
 * @returns undefined for a job without a route
 * @throws InvalidRequest if a member of the call is invalid
 */
export async function openAiCallFrom(input: Uint8Array): Promise<OpenAiCall | undefined> {
  const object = await parseLargeObject(input, [ROUTE, METHOD, INPUT, QUERY, CONTENT_TYPE, BASE64]);
  const route = textOf(object, ROUTE, routeRule);
  if (route === undefined) return undefined;
  if (!staysBelow(route)) throw wrong(object, ROUTE, routeRule.must);
  const query = textOf(object, QUERY, queryRule);
  const method = textOf(object, METHOD, methodRule);
  return { path: query ? `${route}?${query}` : route, ...(method && { method }), ...bodyIn(object) };
}
