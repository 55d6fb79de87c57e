/** The origins of a distribution: APIs, buckets, and load balancers behind a VPC origin. */
import type { Readable } from 'node:stream';
import type { HttpAnswer } from '../gateway/gateway-response.ts';
import type { IncomingRequest } from '../gateway/request.ts';
import type { OriginProperties } from './definitions.ts';
import { headerPairs, splitUrl } from './event.ts';

/** The part of a load balancer's listener that the distribution needs. */
export interface BalancerListener {
  /**
   * Sends a request to a target. If no target is healthy, the load balancer responds with an error.
   * @returns as soon as the status and the headers of the response have arrived, even if the request is not fully
   *   sent
   */
  forward(request: {
    readonly method: string;
    readonly url: string;
    /** Alternating names and values. */
    readonly headers: readonly string[];
    /** The body, read as fast as the target accepts it. */
    readonly body: Readable;
    readonly clientAddress: string;
    /** Aborted when the viewer has disconnected or the response is late. */
    readonly gone: AbortSignal;
  }): Promise<HttpAnswer>;
}

/** Load balancers by ARN, with their listeners by port. */
export type LoadBalancers = ReadonlyMap<string, { readonly listeners: ReadonlyMap<number, BalancerListener> }>;

export const listenerOrigin =
  (listener: BalancerListener): Origin['send'] =>
  ({ method, url, rawHeaders, sourceIp, body }, gone) =>
    listener.forward({ method, url, headers: rawHeaders, body, clientAddress: sourceIp, gone });

export interface Origin {
  readonly properties: OriginProperties;
  /** Milliseconds without a byte of the response after which CloudFront aborts. */
  readonly readTimeout: number;
  readonly send: (request: IncomingRequest, signal: AbortSignal) => Promise<HttpAnswer>;
}

/** Headers that are not forwarded, because they apply to one connection only. */
const HOP_BY_HOP = new Set(
  'connection keep-alive proxy-authenticate proxy-connection te trailer transfer-encoding upgrade'.split(' '),
);

/** Headers of the viewer that are removed or replaced for every origin. */
const NOT_FORWARDED = new Set(
  'connection expect host keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer upgrade via x-amz-cf-id x-forwarded-for x-forwarded-proto x-real-ip'.split(
    ' ',
  ),
);

/** Headers that an origin gets without an origin request policy. */
const ALWAYS_FORWARDED = new Set(['content-length', 'content-type', 'if-none-match', 'transfer-encoding']);

const list = (before: readonly string[], last: string, separator: string) => [...before, last].join(separator);

export interface Edge {
  readonly requestId: string;
  readonly distributionDomainName: string;
  /** Whether the origin gets the viewer's headers, cookies and query string. */
  readonly wholeRequest: boolean;
}

/** Returns the request that CloudFront sends to the origin. */
export function originRequest(request: IncomingRequest, { properties }: Origin, edge: Edge): IncomingRequest {
  const { OriginPath, OriginCustomHeaders, DomainName } = properties;
  const { requestId, distributionDomainName, wholeRequest } = edge;
  const custom = new Set(OriginCustomHeaders.map(({ HeaderName }) => HeaderName.toLowerCase()));
  const forwarded: string[] = [];
  const addresses: string[] = [];
  const via: string[] = [];
  let at = 0;
  for (const [name, value] of headerPairs(request.rawHeaders)) {
    if (name === 'x-forwarded-for') addresses.push(value);
    else if (name === 'via') via.push(value);
    const wanted = wholeRequest ? !NOT_FORWARDED.has(name) && !name.startsWith('x-edge-') : ALWAYS_FORWARDED.has(name);
    if (wanted && !custom.has(name)) forwarded.push(request.rawHeaders[at] ?? '', value);
    at += 2;
  }
  const { path, query } = splitUrl(request.url);
  return {
    ...request,
    url: `${OriginPath}${path}${wholeRequest && query !== '' ? `?${query}` : ''}`,
    rawHeaders: [
      ...['Host', DomainName],
      ...forwarded,
      ...(wholeRequest ? [] : ['User-Agent', 'Amazon CloudFront']),
      ...['X-Forwarded-For', list(addresses, request.sourceIp, ',')],
      ...['Via', list(via, `1.1 ${distributionDomainName} (CloudFront)`, ', ')],
      ...['X-Amz-Cf-Id', requestId],
      ...OriginCustomHeaders.flatMap(({ HeaderName, HeaderValue }) => [HeaderName, HeaderValue]),
    ],
  };
}

/** Returns the headers of an origin's response that the viewer gets. */
export function viewerHeaders({ status, headers }: HttpAnswer, edge: Edge): HttpAnswer['headers'] {
  const via = headers.filter(([name]) => name.toLowerCase() === 'via').map(([, value]) => value);
  return [
    ...headers.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()) && name.toLowerCase() !== 'via'),
    ['Via', list(via, `1.1 ${edge.distributionDomainName} (CloudFront)`, ', ')],
    ['X-Cache', `${status >= 400 ? 'Error' : 'Miss'} from cloudfront`],
    ['X-Amz-Cf-Id', edge.requestId],
  ];
}
