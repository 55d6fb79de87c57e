/** A REST API as the gateway serves it: a stage, its tree of resources, and their methods. */
import type { CachedAuthorizer } from './decision-cache.ts';
import type { ResponseTemplate } from './gateway-response.ts';
import type { Integration } from './integration.ts';
import type { Mock } from './mock.ts';
import type { PrivateIntegration } from './private-integration.ts';
import type { Usage } from './usage-plan.ts';

/** Variables of the request context that can be identity sources. */
export const contextSources = ['httpMethod', 'identity.sourceIp', 'path', 'resourcePath', 'stage'] as const;

export type IdentitySource =
  | { readonly in: 'header' | 'querystring'; readonly name: string }
  | { readonly in: 'context'; readonly name: (typeof contextSources)[number] };

export interface Authorizer extends CachedAuthorizer {
  readonly functionArn: string;
  /** Required identity sources. A request without one of them is refused without a call to the authorizer. */
  readonly identitySources: readonly IdentitySource[];
}

export interface Method {
  readonly resourceId: string;
  readonly resourcePath: string;
  /** Name of the method in usage plans: `/{endpoint}/run/POST`, or `/{endpoint}/run/ANY`. */
  readonly name: string;
  readonly authorizer?: Authorizer;
  readonly apiKeyRequired: boolean;
  readonly integration: Integration | PrivateIntegration | Mock;
}

export interface ResourceNode {
  readonly id: string;
  /** Path with `{parameters}`, such as `/{endpoint}/run`. */
  readonly path: string;
  /** Methods by HTTP method; `ANY` applies to all HTTP methods without an entry. */
  readonly methods: Map<string, Method>;
  readonly children: Map<string, ResourceNode>;
}

/** One stage of a REST API. */
export interface Api {
  readonly id: string;
  readonly name: string;
  readonly stage: string;
  /** Base address in AWS, without a trailing slash. */
  readonly address: string;
  /** Source of the API key's value. */
  readonly keySource: 'HEADER' | 'AUTHORIZER';
  readonly root: ResourceNode;
  /** Media types in lower case whose bodies are not converted to text. */
  readonly binaryMediaTypes: ReadonlySet<string>;
  readonly responses: ReadonlyMap<string, ResponseTemplate>;
  readonly usage: Usage;
}
