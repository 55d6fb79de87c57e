/** The event of a viewer request, in the structure of CloudFront Functions. */
import type { IncomingRequest } from '../gateway/request.ts';

/** A header, cookie or query parameter. `multiValue` contains all values if there are several. */
export interface EdgeValue {
  readonly value: string;
  readonly multiValue?: readonly { readonly value: string }[] | undefined;
}

export type EdgeValues = Readonly<Record<string, EdgeValue>>;

export interface EdgeRequest {
  readonly method: string;
  readonly uri: string;
  readonly querystring: EdgeValues;
  /** Values by name in lower case, without cookies and without headers that functions cannot see. */
  readonly headers: EdgeValues;
  readonly cookies: EdgeValues;
}

export interface EdgeEvent {
  readonly version: '1.0';
  readonly context: {
    readonly distributionDomainName: string;
    readonly distributionId: string;
    readonly eventType: 'viewer-request';
    readonly requestId: string;
  };
  readonly viewer: { readonly ip: string };
  readonly request: EdgeRequest;
}

const HIDDEN = new Set(
  `connection expect keep-alive proxy-authenticate proxy-authorization proxy-connection trailer upgrade
  x-accel-buffering x-accel-charset x-accel-limit-rate x-accel-redirect x-amzn-auth x-amzn-cf-billing x-amzn-cf-id
  x-amzn-cf-xff x-amzn-errortype x-amzn-fle-profile x-amzn-header-count x-amzn-header-order
  x-amzn-lambda-integration-tag x-amzn-requestid x-cache x-forwarded-proto x-real-ip`.split(/\s+/),
);

/**
 * Returns whether a header is hidden from functions, which also cannot add it.
 * @param name in lower case
 */
export const isHidden = (name: string): boolean =>
  HIDDEN.has(name) || name.startsWith('x-edge-') || name.startsWith('x-amz-cf-');

type Pair = readonly [name: string, value: string];

function collect(pairs: Iterable<Pair>): EdgeValues {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return Object.fromEntries(
    [...values].map(([name, [value = '', ...more]]) => [
      name,
      more.length === 0 ? { value } : { value, multiValue: [value, ...more].map((each) => ({ value: each })) },
    ]),
  );
}

/** Splits `a=1` at its first equal sign. */
function pairOf(text: string): Pair {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

const pairsOf = (text: string, separator: RegExp): Pair[] => text.split(separator).filter(Boolean).map(pairOf);

/** Yields the headers, with names in lower case. */
export function* headerPairs(rawHeaders: readonly string[]): Generator<Pair> {
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    yield [(rawHeaders[at] ?? '').toLowerCase(), rawHeaders[at + 1] ?? ''];
}

/** Returns the path and query string of a URL as it was sent. */
export function splitUrl(url: string): { path: string; query: string } {
  const at = url.indexOf('?');
  return at < 0 ? { path: url, query: '' } : { path: url.slice(0, at), query: url.slice(at + 1) };
}

export function edgeRequest({ method, url, rawHeaders }: IncomingRequest): EdgeRequest {
  const { path, query } = splitUrl(url);
  const headers = [...headerPairs(rawHeaders)];
  return {
    method,
    uri: path,
    querystring: collect(pairsOf(query, /&/)),
    headers: collect(headers.filter(([name]) => name !== 'cookie' && !isHidden(name))),
    cookies: collect(headers.flatMap(([name, value]) => (name === 'cookie' ? pairsOf(value, /;\s*/) : []))),
  };
}
