/** Builds the distribution from the definitions of all stacks. */
import { appendFileSync } from 'node:fs';
import { account, arn } from '../account.ts';
import type { HttpAnswer } from '../gateway/gateway-response.ts';
import type { Gateway } from '../gateway/server.ts';
import { LocalError } from '../local-error.ts';
import type {
  BehaviourProperties,
  DistributionDefinition,
  DistributionDefinitions,
  ErrorResponseProperties,
  OriginProperties,
} from './definitions.ts';
import { createEdgeFunction, type EdgeFunction } from './edge-function.ts';
import { headersOf } from './headers-policy.ts';
import { type LoadBalancers, listenerOrigin, type Origin } from './origin.ts';
import { patternOf } from './path-pattern.ts';

export interface Behaviour {
  /** Whether the behavior's pattern matches a normalized path. */
  readonly matches: (path: string) => boolean;
  readonly methods: ReadonlySet<string>;
  readonly origin: Origin;
  /** Whether the origin gets the viewer's headers, cookies and query string. */
  readonly wholeRequest: boolean;
  readonly viewerRequest?: EdgeFunction;
  /** Headers that replace headers of the same names in responses of the origin. */
  readonly headers: HttpAnswer['headers'];
}

export interface Distribution {
  readonly id: string;
  readonly domainName: string;
  /** Behaviors in the order in which they are matched. The last one matches every path. */
  readonly behaviours: readonly Behaviour[];
  readonly origins: ReadonlyMap<string, Origin>;
}

/** The services that serve requests behind the distribution. */
export interface Backends {
  /** Ids of the REST APIs. */
  readonly apis: ReadonlySet<string>;
  readonly gateway: Pick<Gateway, 'answer'>;
  readonly loadBalancers: LoadBalancers;
  /**
   * Returns the bucket with the domain name as an origin of the distribution; undefined if the template does not
   * have the bucket.
   */
  bucket(domainName: string, distributionArn: string): Origin['send'] | undefined;
}

/**
 * Milliseconds that the distribution waits for a bucket. S3 responds immediately, but the first page waits for the
 * build of the console.
 */
const BUCKET_TIMEOUT = 300_000;

const API_DOMAIN = /^(?<id>[a-z0-9]+)\.execute-api\./;

const refuse = (where: string, reason: string) => new LocalError(`${where} cannot run here: ${reason}.`);

/**
 * Builds the origin of a bucket.
 * @throws LocalError for an origin without access control, or a bucket that is not in the template
 */
function bucketOriginOf(
  properties: OriginProperties,
  { id, where }: DistributionDefinition,
  { accessControls }: DistributionDefinitions,
  { bucket }: Backends,
): Origin {
  const { Id, DomainName, OriginAccessControlId } = properties;
  if (!accessControls.some((control) => control.id === OriginAccessControlId))
    throw refuse(
      where,
      `its origin ${Id} has no origin access control in the template, so its bucket would have to be public`,
    );
  const send = bucket(DomainName, arn('cloudfront', `distribution/${id}`, ''));
  if (!send) throw refuse(where, `its origin ${Id} is at ${DomainName}, which is not a bucket of the template`);
  return { properties, readTimeout: BUCKET_TIMEOUT, send };
}

function originOf(
  properties: OriginProperties,
  distribution: DistributionDefinition,
  definitions: DistributionDefinitions,
  backends: Backends,
): Origin {
  const { Id, DomainName, CustomOriginConfig, VpcOriginConfig, S3OriginConfig } = properties;
  const { where } = distribution;
  const { vpcOrigins } = definitions;
  const { apis, gateway, loadBalancers } = backends;
  if (S3OriginConfig) return bucketOriginOf(properties, distribution, definitions, backends);
  if (CustomOriginConfig && !VpcOriginConfig) {
    const { id = '' } = API_DOMAIN.exec(DomainName)?.groups ?? {};
    if (!apis.has(id) || DomainName !== `${id}.execute-api.${account.region}.${account.urlSuffix}`)
      throw refuse(where, `its origin ${Id} is at ${DomainName}, which is not an API of the template`);
    return { properties, readTimeout: CustomOriginConfig.OriginReadTimeout * 1000, send: gateway.answer };
  }
  if (!VpcOriginConfig || CustomOriginConfig)
    throw refuse(where, `its origin ${Id} is neither a custom origin nor a VPC origin`);
  const found = vpcOrigins.find(({ id }) => id === VpcOriginConfig.VpcOriginId);
  if (!found) throw refuse(where, `the VPC origin ${VpcOriginConfig.VpcOriginId} is not in the template`);
  const { Arn, HTTPPort } = found.properties.VpcOriginEndpointConfig;
  const listener = loadBalancers.get(Arn)?.listeners.get(HTTPPort);
  if (!listener)
    throw refuse(found.where, `${Arn} is not a load balancer of the template with a listener on port ${HTTPPort}`);
  return {
    properties,
    readTimeout: VpcOriginConfig.OriginReadTimeout * 1000,
    send: listenerOrigin(listener),
  };
}

/**
 * Statuses that CloudFront caches for 10 s regardless of the cache policy, unless the distribution sets the time.
 */
const CACHED_ERRORS = [404, 414, 500, 501, 502, 503, 504];

/**
 * Checks that no error is cached, because this distribution caches nothing.
 * @throws LocalError if CloudFront would cache an error and send it to another client
 */
function requireUncachedErrors(responses: readonly ErrorResponseProperties[], where: string): void {
  const given = new Map(responses.map(({ ErrorCode, ErrorCachingMinTTL }) => [ErrorCode, ErrorCachingMinTTL]));
  const cached = [...new Set([...CACHED_ERRORS, ...given.keys()])].filter((status) => given.get(status) !== 0);
  if (cached.length > 0)
    throw refuse(where, `CloudFront would cache ${cached.join(', ')}: set an ErrorCachingMinTTL of 0 for each`);
}

/** Returns a lookup of a behavior's function. Each function is compiled only one time. */
function functionsOf({ functions }: DistributionDefinitions, origins: readonly string[], where: string) {
  const created = new Map<string, EdgeFunction>();
  return ({ FunctionAssociations: [association] }: BehaviourProperties): EdgeFunction | undefined => {
    if (!association) return undefined;
    const known = created.get(association.FunctionARN);
    if (known) return known;
    const found = functions.find(({ arn }) => arn === association.FunctionARN);
    if (!found) throw refuse(where, `its function ${association.FunctionARN} is not in the template`);
    const log = (line: string) => appendFileSync(found.log, `${line}\n`);
    const code = found.properties.FunctionCode;
    const viewerRequest = createEdgeFunction({ where: found.where, code, origins, log });
    created.set(association.FunctionARN, viewerRequest);
    return viewerRequest;
  };
}

/**
 * Returns the headers of a policy.
 * @throws LocalError if the template lacks the policy
 */
function headersFor(
  { ResponseHeadersPolicyId }: BehaviourProperties,
  { headersPolicies }: DistributionDefinitions,
  where: string,
): Behaviour['headers'] {
  if (ResponseHeadersPolicyId === undefined) return [];
  const policy = headersPolicies.find(({ id }) => id === ResponseHeadersPolicyId);
  if (!policy) throw refuse(where, `its response headers policy ${ResponseHeadersPolicyId} is not in the template`);
  return headersOf(policy);
}

function build(
  definition: DistributionDefinition,
  definitions: DistributionDefinitions,
  backends: Backends,
): Distribution {
  const { id, where, domainName, properties } = definition;
  const { DistributionConfig } = properties;
  const { Origins, DefaultCacheBehavior, CacheBehaviors, CustomErrorResponses } = DistributionConfig;
  requireUncachedErrors(CustomErrorResponses, where);
  const origins = new Map(
    Origins.map((properties) => [properties.Id, originOf(properties, definition, definitions, backends)]),
  );
  const functionOf = functionsOf(definitions, [...origins.keys()], where);
  const behaviourOf = (properties: BehaviourProperties, pattern: string): Behaviour => {
    const { TargetOriginId, AllowedMethods, OriginRequestPolicyId } = properties;
    const origin = origins.get(TargetOriginId);
    if (!origin)
      throw refuse(
        where,
        `its behavior ${pattern} names the origin ${TargetOriginId}, which the distribution does not have`,
      );
    const viewerRequest = functionOf(properties);
    return {
      matches: patternOf(pattern),
      methods: new Set(AllowedMethods),
      origin,
      wholeRequest: OriginRequestPolicyId !== undefined,
      headers: headersFor(properties, definitions, where),
      ...(viewerRequest && { viewerRequest }),
    };
  };
  return {
    id,
    domainName,
    origins,
    behaviours: [
      ...CacheBehaviors.map((properties) => behaviourOf(properties, properties.PathPattern)),
      behaviourOf(DefaultCacheBehavior, '*'),
    ],
  };
}

/**
 * Returns the distribution of the stacks, if they have one.
 * @throws LocalError for a setting that is not supported here
 */
export function buildDistribution(definitions: DistributionDefinitions, backends: Backends): Distribution | undefined {
  const [only, another] = definitions.distributions;
  if (another)
    throw refuse(another.where, 'only one distribution can run on this machine, and the stacks have another one');
  return only && build(only, definitions, backends);
}
