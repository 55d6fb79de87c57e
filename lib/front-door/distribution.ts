import { Aws, Fn } from 'aws-cdk-lib';
import { CfnDistribution, type CfnFunction, CfnVpcOrigin } from 'aws-cdk-lib/aws-cloudfront';
import { Construct, type IDependable } from 'constructs';
import { distributionHeaders } from '../../core/http/ingress.ts';
import { stages } from '../../core/operations/routes.ts';
import { CACHING_DISABLED, type Hosting } from '../console/hosting.ts';
import { acknowledge } from '../constructs/acknowledge.ts';
import { deploymentOf } from '../settings/settings.ts';
import type { Domain } from './domain-setting.ts';
import type { LoadBalancer } from './load-balancer.ts';
import { noInterfaceFunction, originFunction } from './viewer-functions.ts';

/**
 * Managed policies of CloudFront, which have the same ids in all accounts. `CachingDisabled` also keeps CloudFront
 * from answering simultaneous requests with one response. The cache key contains no header, so callers with different
 * API keys would share the response. (Amazon CloudFront Developer Guide, "Request and response behavior for custom
 * origins", on request collapsing.)
 */
const policies = {
  cachingDisabled: CACHING_DISABLED,
  allViewerExceptHostHeader: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
} as const;

/**
 * Seconds for which CloudFront waits for the next bytes of a response, and for which it keeps an idle connection to an
 * origin. A call that waits sends its first bytes after at most 20 s, or after at most 50 s if an OpenAI client has not
 * requested a stream.
 */
const origin = { readTimeout: 60, keepAlive: 60 } as const;

const methods = { all: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'], cached: ['GET', 'HEAD'] };

/**
 * Statuses of errors that CloudFront can cache, some of them for 10 s by default. Caching is off for these statuses.
 * Otherwise all clients that call the same path, with any key, would get the error of one client. (Amazon CloudFront
 * Developer Guide, "Control how long CloudFront caches errors".)
 */
const errors = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504] as const;

/** Minimum TLS version of the setting `domain`. CloudFront's own domain names also accept TLS 1.0. */
const MIN_TLS = 'TLSv1.2_2021';

/**
 * Returns a value that proves that a request came through the distribution. Other callers of the API cannot know the
 * value.
 */
export const proofOf = (): string => Fn.select(2, Fn.split('/', Aws.STACK_ID));

export interface DistributionProps {
  /** Domain names of the two APIs. */
  readonly jobs: string;
  readonly management: string;
  /**
   * Load balancer of the ingress, for large bodies.
   * @default - API Gateway also gets large bodies
   */
  readonly loadBalancer?: LoadBalancer | undefined;
  /** What answers behind the load balancer. Large bodies come only when it is complete. */
  readonly service?: IDependable | undefined;
  readonly domain: Domain | undefined;
  readonly corsOrigin: string | undefined;
  /** @default - no console */
  readonly console?: Hosting | undefined;
}

/**
 * The published address: one host for both interfaces and the console. Large bodies bypass API Gateway, and nothing
 * is cached.
 */
export class Distribution extends Construct {
  /** Host that clients call. */
  readonly host: string;
  /** CloudFront's own domain name, to which the DNS record of another name must point. */
  readonly domainName: string;

  constructor(scope: Construct, id: string, { jobs, management, loadBalancer, domain, ...props }: DistributionProps) {
    super(scope, id);
    const { console: hosting, corsOrigin, service } = props;
    const choose = originFunction(this, loadBalancer !== undefined);
    const behaviors = Object.entries({ jobs: stages.jobs, management: stages.management }).map(([target, stage]) => ({
      pathPattern: `/${stage}/*`,
      ...behaviorOf(target, choose),
    }));
    const distribution = new CfnDistribution(this, 'Distribution', {
      distributionConfig: {
        enabled: true,
        comment: `${deploymentOf(this)}: job and management interface${hosting ? ', console' : ''}`,
        httpVersion: 'http2and3',
        ipv6Enabled: true,
        ...(domain && {
          aliases: [domain.name],
          viewerCertificate: {
            acmCertificateArn: domain.certificate,
            sslSupportMethod: 'sni-only',
            minimumProtocolVersion: MIN_TLS,
          },
        }),
        origins: [
          apiOrigin('jobs', jobs),
          apiOrigin('management', management),
          ...(loadBalancer ? [this.#ingressOrigin(loadBalancer)] : []),
          ...(hosting ? [hosting.origin] : []),
        ],
        cacheBehaviors: [...behaviors, ...(hosting?.behaviors ?? [])],
        customErrorResponses: errors.map((errorCode) => ({ errorCode, errorCachingMinTtl: 0 })),
        defaultCacheBehavior: behaviorOf('jobs', noInterfaceFunction(this, { corsOrigin, consolePath: hosting?.path })),
      },
    });
    // The origin in the VPC does not wait: AWS creates it in up to 15 minutes, while the tasks start.
    if (service) for (const sends of [choose, distribution]) sends.node.addDependency(service);
    acknowledge(distribution, {
      CFR1: 'Clients can be anywhere. Keys determine who may call.',
      CFR2: 'A web ACL of CloudFront must be in us-east-1: `webAclRate` adds one to the interfaces.',
      CFR3: 'Access logs would need a bucket. `accessLogDays` logs the interfaces.',
      CFR4: 'With the setting `domain`, TLS 1.2 is the minimum. CloudFront sets the minimum for its own domain names.',
    });
    hosting?.grantRead(distribution.attrId);
    this.domainName = distribution.attrDomainName;
    this.host = domain?.name ?? this.domainName;
  }

  #ingressOrigin({ balancer, direct }: LoadBalancer): CfnDistribution.OriginProperty {
    const inside = new CfnVpcOrigin(this, 'VpcOrigin', {
      vpcOriginEndpointConfig: {
        // The name must be unique in the account, across all Regions.
        name: `${deploymentOf(this)}-${Aws.REGION}-Ingress`,
        arn: balancer.loadBalancerArn,
        httpPort: direct.port,
        originProtocolPolicy: 'http-only',
      },
    });
    inside.node.addDependency(direct.listener);
    return {
      id: 'ingress',
      domainName: balancer.loadBalancerDnsName,
      originCustomHeaders: proof(),
      vpcOriginConfig: {
        vpcOriginId: inside.attrId,
        originReadTimeout: origin.readTimeout,
        originKeepaliveTimeout: origin.keepAlive,
      },
    };
  }
}

/** The header with the proof. CloudFront replaces the value that a client sends. */
const proof = () => [{ headerName: distributionHeaders.proof, headerValue: proofOf() }];

const apiOrigin = (id: string, domainName: string): CfnDistribution.OriginProperty => ({
  id,
  domainName,
  originCustomHeaders: proof(),
  customOriginConfig: {
    originProtocolPolicy: 'https-only',
    originSslProtocols: ['TLSv1.2'],
    originReadTimeout: origin.readTimeout,
    originKeepaliveTimeout: origin.keepAlive,
  },
});

/** Returns a behavior that does not forward `Host`, because the API accepts only its own host name. */
const behaviorOf = (targetOriginId: string, { attrFunctionArn }: CfnFunction) => ({
  targetOriginId,
  allowedMethods: methods.all,
  cachedMethods: methods.cached,
  cachePolicyId: policies.cachingDisabled,
  originRequestPolicyId: policies.allViewerExceptHostHeader,
  viewerProtocolPolicy: 'https-only',
  // Compression would delay streamed responses.
  compress: false,
  functionAssociations: [{ eventType: 'viewer-request', functionArn: attrFunctionArn }],
});
