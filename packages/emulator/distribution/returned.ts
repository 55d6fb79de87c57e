/** Checks the result of a function and applies it. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import * as z from 'zod/mini';
import type { IncomingRequest } from '../gateway/request.ts';
import type { Answer } from '../network/address.ts';
import { invalidResult } from './edge-error.ts';
import { type EdgeRequest, type EdgeValue, type EdgeValues, isHidden, splitUrl } from './event.ts';

const value = z.object({ value: z.string(), multiValue: z.optional(z.array(z.object({ value: z.string() }))) });
const values = z._default(z.record(z.string(), value), {});

const requestSchema = z.object({
  method: z.string(),
  uri: z.string().check(z.startsWith('/')),
  querystring: values,
  headers: values,
  cookies: values,
});

const encoded = z.object({ encoding: z.literal(['text', 'base64']), data: z.string() });

const responseSchema = z.object({
  statusCode: z.int().check(z.gte(100), z.lte(599)),
  statusDescription: z.optional(z.string()),
  headers: values,
  cookies: z._default(z.record(z.string(), z.extend(value, { attributes: z.optional(z.string()) })), {}),
  body: z.optional(z.union([z.string(), encoded])),
});

/** Headers that a function can read but not change, in lower case. */
const READ_ONLY = new Set(['content-length', 'host', 'transfer-encoding', 'via']);
const READ_ONLY_IN_RESPONSE = new Set(['transfer-encoding', 'via', 'warning']);

/** Maximum length of a URL, in bytes. */
export const URL_LIMIT = 8_192;

function read<Schema extends z.ZodMiniType>(schema: Schema, returned: unknown, what: string): z.output<Schema> {
  const parsed = z.safeParse(schema, returned);
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path.join('.');
  throw invalidResult(`The function's ${what} is not valid${path ? `: its ${path}` : ''}.`);
}

const listOf = ({ value: first, multiValue }: EdgeValue): string[] => multiValue?.map((each) => each.value) ?? [first];

const same = (left: readonly string[], right: readonly string[]) =>
  left.length === right.length && left.every((each, at) => each === right[at]);

/**
 * Returns the values after a change. A changed `multiValue` replaces all values; if it is unchanged, `value`
 * replaces the first one. Without `multiValue`, `value` replaces all values.
 */
function changed(before: EdgeValue | undefined, after: EdgeValue): string[] {
  const list = listOf(after);
  if (!after.multiValue || !before || !same(listOf(before), list)) return list;
  return [after.value, ...list.slice(1)];
}

/** Returns whether no value was changed, added or removed. */
function unchanged(before: EdgeValues, after: EdgeValues): boolean {
  const names = Object.keys(before);
  return (
    names.length === Object.keys(after).length &&
    names.every((name) => {
      const [left, right] = [before[name], after[name]];
      return left && right && same(listOf(left), changed(left, right));
    })
  );
}

function checkHeader(name: string, list: readonly string[], readOnly: ReadonlySet<string>): void {
  if (name !== name.toLowerCase()) throw invalidResult(`The function's header ${name} is not in lower case.`);
  if (readOnly.has(name)) throw invalidResult(`The function changed the read-only header ${name}.`);
  if (isHidden(name)) throw invalidResult(`The function added the header ${name}, which is not allowed.`);
  try {
    validateHeaderName(name);
    for (const text of list) validateHeaderValue(name, text);
  } catch (cause) {
    throw invalidResult(`The function's header ${name} is not valid.`, { cause });
  }
}

/** Capitalizes a header name: `x-viewer-address` becomes `X-Viewer-Address`. */
const capitalized = (name: string) => name.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());

/** Returns the headers after a function's changes. Unchanged headers keep their original form. */
function headersAfter(rawHeaders: readonly string[], before: EdgeValues, after: EdgeValues): string[] {
  const gone = new Set<string>();
  const added: string[] = [];
  for (const name of Object.keys(before)) {
    if (Object.hasOwn(after, name)) continue;
    if (READ_ONLY.has(name)) throw invalidResult(`The function removed the read-only header ${name}.`);
    gone.add(name);
  }
  for (const [name, edited] of Object.entries(after)) {
    const former = Object.hasOwn(before, name) ? before[name] : undefined;
    const list = changed(former, edited);
    if (former && same(listOf(former), list)) continue;
    checkHeader(name, list, READ_ONLY);
    gone.add(name);
    for (const text of list) added.push(capitalized(name), text);
  }
  if (gone.size === 0) return [...rawHeaders];
  const kept = rawHeaders.filter((_, at) => !gone.has((rawHeaders[at - (at % 2)] ?? '').toLowerCase()));
  return [...kept, ...added];
}

const joined = (all: EdgeValues, separator: string, before: EdgeValues) =>
  Object.entries(all)
    .flatMap(([name, each]) => changed(before[name], each).map((text) => (text === '' ? name : `${name}=${text}`)))
    .join(separator);

/** Matches a space, a control character or the fragment sign. */
const NOT_IN_URL = /[^!-~\u0080-\uffff]|#/;

/**
 * Applies a request that a function returned.
 * @throws EdgeError if CloudFront would not accept the request
 */
export function requestAfter(incoming: IncomingRequest, before: EdgeRequest, returned: unknown): IncomingRequest {
  const after = read(requestSchema, returned, 'request');
  if (after.method !== before.method) throw invalidResult("The function changed the request's method.");
  let { path, query } = splitUrl(incoming.url);
  if (after.uri !== before.uri) path = after.uri;
  if (!unchanged(before.querystring, after.querystring)) query = joined(after.querystring, '&', before.querystring);
  const url = query === '' ? path : `${path}?${query}`;
  if (url !== incoming.url && (url.length >= URL_LIMIT || NOT_IN_URL.test(url)))
    throw invalidResult("The function's URL is not valid.");
  const rawHeaders = headersAfter(incoming.rawHeaders, before.headers, after.headers);
  if (unchanged(before.cookies, after.cookies)) return { ...incoming, url, rawHeaders };
  const cookies = joined(after.cookies, '; ', before.cookies);
  const others = rawHeaders.filter((_, at) => (rawHeaders[at - (at % 2)] ?? '').toLowerCase() !== 'cookie');
  return { ...incoming, url, rawHeaders: cookies === '' ? others : [...others, 'Cookie', cookies] };
}

/** Returns whether the result of a function is a response instead of a request. */
export const isResponse = (returned: unknown): boolean =>
  typeof returned === 'object' && returned !== null && 'statusCode' in returned;

/**
 * Converts a response that a function returned.
 * @throws EdgeError if CloudFront would not accept the response
 */
export function responseOf(returned: unknown): Answer {
  const { statusCode, headers, cookies, body = '' } = read(responseSchema, returned, 'response');
  const pairs = Object.entries(headers).flatMap(([name, each]) => {
    const list = listOf(each);
    checkHeader(name, list, READ_ONLY_IN_RESPONSE);
    return list.map((text) => [capitalized(name), text] as const);
  });
  const set = Object.entries(cookies).flatMap(([name, { attributes, ...each }]) =>
    listOf(each).map((text) => ['Set-Cookie', [`${name}=${text}`, attributes].filter(Boolean).join('; ')] as const),
  );
  return {
    status: statusCode,
    // The content length is that of the body, even if the function has set another one.
    headers: [
      ...pairs.filter(([name]) => name !== 'Content-Length'),
      ...set,
      ['X-Cache', 'FunctionGeneratedResponse from cloudfront'],
    ],
    body: typeof body === 'string' ? body : Buffer.from(body.data, body.encoding === 'text' ? 'utf8' : 'base64'),
  };
}
