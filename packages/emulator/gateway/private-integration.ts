/** The private integration of a method: its load balancer, and how the request is mapped. */
import type * as z from 'zod/mini';
import type { Listener, LoadBalancer } from '../load-balancer/load-balancer.ts';
import { LocalError } from '../local-error.ts';
import type { privateIntegration } from './definitions.ts';

/** The source of a mapped parameter. */
export type ParameterSource =
  | { readonly from: 'constant'; readonly value: string }
  | { readonly from: 'context' | 'header' | 'path' | 'querystring'; readonly name: string };

export interface PrivateIntegration {
  readonly listener: Listener;
  readonly method: string;
  /** `Host` header of the requests. */
  readonly host: string;
  /** Path with `{parameters}`. */
  readonly path: string;
  /** Sources of the path's parameters, by parameter name. */
  readonly pathParameters: ReadonlyMap<string, ParameterSource>;
  /** Sources of headers, by names in lower case. They replace the client's headers. */
  readonly headers: ReadonlyMap<string, ParameterSource>;
  /** Milliseconds within which the whole response must arrive. */
  readonly timeout: number;
}

/** The resources that private integrations can refer to. */
export interface Links {
  /** Ids of VPC links. */
  readonly vpcLinks: ReadonlySet<string>;
  /** Load balancers by ARN. */
  readonly loadBalancers: ReadonlyMap<string, LoadBalancer>;
}

const MAX_TIMEOUT = 900_000;
const ADDRESS = /^http:\/\/(?<host>[^/:]+)(?::(?<port>\d+))?(?<path>\/.*)$/;
const CONSTANT = /^'(?<value>.*)'$/;
const CONTEXT =
  /^context\.(?<name>apiId|authorizer\.\w+|httpMethod|identity\.sourceIp|path|requestId|resourcePath|stage)$/;
const REQUEST = /^method\.request\.(?<from>header|path|querystring)\.(?<name>.+)$/;
const INTEGRATION = /^integration\.request\.(?<place>header|path)\.(?<name>.+)$/;
const PARAMETER = /\{(?<name>[^{}]+)\}/g;

function sourceOf(mapping: string, declared: Readonly<Record<string, boolean>>): ParameterSource | undefined {
  const { value } = CONSTANT.exec(mapping)?.groups ?? {};
  if (value !== undefined) return { from: 'constant', value };
  const { name: variable } = CONTEXT.exec(mapping)?.groups ?? {};
  if (variable !== undefined) return { from: 'context', name: variable };
  const { from, name } = REQUEST.exec(mapping)?.groups ?? {};
  if (name === undefined || !Object.hasOwn(declared, mapping)) return undefined;
  return { from: from as 'header' | 'path' | 'querystring', name };
}

/**
 * Builds a private integration.
 * @param declared parameters of the method, from which the integration can map
 * @throws LocalError for a reference to a resource outside the template, or a setting that is not supported here
 */
export function privateIntegrationOf(
  properties: z.output<typeof privateIntegration>,
  declared: Readonly<Record<string, boolean>>,
  { vpcLinks, loadBalancers }: Links,
  where: string,
): PrivateIntegration {
  const { ConnectionId, IntegrationTarget, IntegrationHttpMethod, Uri, TimeoutInMillis, RequestParameters } =
    properties;
  const refuse = (reason: string) => new LocalError(`${where} cannot run here: ${reason}.`);
  if (!vpcLinks.has(ConnectionId)) throw refuse(`its VPC link ${ConnectionId} is not in the template`);
  const balancer = loadBalancers.get(IntegrationTarget);
  if (!balancer) throw refuse(`its target ${IntegrationTarget} is not a load balancer of the template`);
  if (TimeoutInMillis > MAX_TIMEOUT)
    throw refuse(`its TimeoutInMillis is ${TimeoutInMillis}, and API Gateway waits at most ${MAX_TIMEOUT} ms`);
  const { host, port = '80', path = '' } = ADDRESS.exec(Uri)?.groups ?? {};
  if (host !== balancer.dnsName) throw refuse(`the host of ${Uri} is not ${balancer.dnsName}, its load balancer`);
  const listener = balancer.listeners.get(Number(port));
  if (!listener) throw refuse(`its load balancer has no listener on port ${port}`);

  const places = { header: new Map<string, ParameterSource>(), path: new Map<string, ParameterSource>() };
  for (const [parameter, mapping] of Object.entries(RequestParameters)) {
    const { place, name } = INTEGRATION.exec(parameter)?.groups ?? {};
    const source = sourceOf(mapping, declared);
    if (name === undefined) throw refuse(`${parameter} must be a parameter of the path or a header`);
    if (!source)
      throw refuse(`${mapping} must be a declared parameter of the method, a constant or a known context variable`);
    if (place === 'path') places.path.set(name, source);
    else places.header.set(name.toLowerCase(), source);
  }
  for (const [, name = ''] of path.matchAll(PARAMETER))
    if (!places.path.has(name)) throw refuse(`no parameter is mapped to {${name}} of ${Uri}`);
  return {
    listener,
    method: IntegrationHttpMethod,
    host: `${host}:${port}`,
    path,
    pathParameters: places.path,
    headers: places.header,
    timeout: TimeoutInMillis,
  };
}
