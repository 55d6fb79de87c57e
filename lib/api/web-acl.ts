/**
 * A web ACL in front of both interfaces and of the ingress: off, unless the context `webAclRate` limits the requests from
 * one address.
 */
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct, IConstruct } from 'constructs';
import { distributionHeaders } from '../../core/http/ingress.ts';
import { rangeOf, type Setting } from '../settings/field-text.ts';
import { deploymentOf, InvalidSetting, wholeNumberIn } from '../settings/settings.ts';

const SETTING = 'webAclRate';
/** Seconds in which the requests from an address are counted. */
const WINDOW = 300;
/** Rates that AWS WAF accepts. */
const rates = { min: 10, max: 2_000_000_000 } as const;

/**
 * Returns the number of requests that an address may send in 300 s, or undefined without the setting.
 * @throws InvalidSetting
 */
export function webAclRateOf(scope: IConstruct): number | undefined {
  const value: unknown = scope.node.tryGetContext(SETTING);
  if (value === undefined || value === '') return undefined;
  const rate = wholeNumberIn(value, rates);
  if (rate !== undefined) return rate;
  throw new InvalidSetting(
    `The context \`${SETTING}\` must be a whole number from ${rates.min} to ${rates.max}, the number of requests that one address may send in ${WINDOW} s; got ${JSON.stringify(value)}.`,
  );
}

export const webAclRateSetting: Setting = {
  read: webAclRateOf,
  text: {
    description: `Number of requests that one address can send in ${WINDOW} s, by any route, before a web ACL blocks it.`,
    type: 'whole number',
    without: 'no web ACL',
    allowed: rangeOf(rates),
    guide: 'floods',
  },
};

const tooMany = {
  error: 'This address sends more requests than the deployment allows; try again later.',
  code: 'TOO_MANY_REQUESTS',
};

/** Names of metrics. CloudWatch identifies web ACLs and rules only by these names. */
const visible = (metricName: string) => ({
  cloudWatchMetricsEnabled: true,
  metricName,
  sampledRequestsEnabled: false,
});

const unchanged = [{ priority: 0, type: 'NONE' }];

/**
 * Matches requests by the header with the proof. The distribution replaces a value that the client sends.
 * @param how `EXACTLY` matches requests that arrived through the distribution. `STARTS_WITH` also matches requests that
 * API Gateway passes to the ingress
 */
const proven = (proof: string, how: 'EXACTLY' | 'STARTS_WITH'): CfnWebACL.StatementProperty => ({
  byteMatchStatement: {
    fieldToMatch: { singleHeader: { Name: distributionHeaders.proof } },
    positionalConstraint: how,
    searchString: proof,
    textTransformations: unchanged,
  },
});

/**
 * Requests through the distribution have the distribution's addresses. A header contains the client's address. Neither
 * rule counts requests that API Gateway passes to the ingress, because they were counted before.
 */
const rateRules = (limit: number, proof: string) => [
  {
    name: 'RateOfClient',
    statement: {
      rateBasedStatement: {
        limit,
        aggregateKeyType: 'CUSTOM_KEYS',
        customKeys: [{ header: { name: distributionHeaders.viewer, textTransformations: unchanged } }],
        evaluationWindowSec: WINDOW,
        scopeDownStatement: proven(proof, 'EXACTLY'),
      },
    },
  },
  {
    name: 'RateOfAddress',
    statement: {
      rateBasedStatement: {
        limit,
        aggregateKeyType: 'IP',
        evaluationWindowSec: WINDOW,
        scopeDownStatement: { notStatement: { statement: proven(proof, 'STARTS_WITH') } },
      },
    },
  },
];

const block = {
  block: {
    customResponse: {
      responseCode: 429,
      customResponseBodyKey: 'TooMany',
      responseHeaders: [{ name: 'Retry-After', value: String(WINDOW) }],
    },
  },
};

export interface WebAclProps {
  /** Number of requests that an address may send in 300 s. */
  readonly rate: number;
  /** ARNs of the stages of the interfaces, and of the load balancer of the ingress. */
  readonly resources: Readonly<Record<string, string>>;
  /** Value by which requests through the distribution are recognized. */
  readonly proof: string;
}

/** Blocks a client that exceeds the rate, with the 429 of the interfaces. */
export function addWebAcl(scope: Construct, { rate, resources, proof }: WebAclProps): void {
  const deployment = deploymentOf(scope);
  const acl = new CfnWebACL(scope, 'WebAcl', {
    description: 'gpu-endpoints: limits the requests from one address.',
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    customResponseBodies: { TooMany: { contentType: 'APPLICATION_JSON', content: JSON.stringify(tooMany) } },
    rules: rateRules(rate, proof).map(({ name, statement }, priority) => ({
      name,
      priority,
      statement,
      action: block,
      visibilityConfig: visible(`${deployment}-${name}`),
    })),
    visibilityConfig: visible(`${deployment}-WebAcl`),
  });
  for (const [name, resourceArn] of Object.entries(resources))
    new CfnWebACLAssociation(scope, `WebAcl${name}`, { resourceArn, webAclArn: acl.attrArn });
}
