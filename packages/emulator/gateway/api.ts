/** Builds the REST APIs from the definitions of all stacks. */

import { account } from '../account.ts';
import { type LoadBalancers, noLoadBalancers } from '../load-balancer/definitions.ts';
import { LocalError } from '../local-error.ts';
import { type ApiDefinitions, rootResourceId } from './definitions.ts';
import type { HeaderSource, ResponseTemplate } from './gateway-response.ts';
import { functionIn, integrationOf } from './integration.ts';
import { mockOf } from './mock.ts';
import {
  type Api,
  type Authorizer,
  contextSources,
  type IdentitySource,
  type Method,
  type ResourceNode,
} from './model.ts';
import { type Links, privateIntegrationOf } from './private-integration.ts';
import { isGreedy, isVariable } from './resource-tree.ts';
import { methodName, usageOf } from './usage-plan.ts';

const SOURCE = /^(?:method\.request\.(?<place>header|querystring)|context)\.(?<name>.+)$/;
const STATIC = /^'(?<value>.*)'$/;
const CONTEXT = /^context\.(?<variable>\w+(?:\.\w+)*)$/;
const HEADER = 'gatewayresponse.header.';

function identitySources(text: string | undefined, where: string): IdentitySource[] {
  return (text ?? '').split(',').flatMap((source): IdentitySource[] => {
    if (source.trim() === '') return [];
    const { place, name } = SOURCE.exec(source.trim())?.groups ?? {};
    if (name && (place === 'header' || place === 'querystring')) return [{ in: place, name }];
    const variable = contextSources.find((each) => each === name);
    if (!variable)
      throw new LocalError(
        `${where} cannot run here: identity source ${source} is not a header, a query string, or one of ${contextSources.map((each) => `context.${each}`).join(', ')}.`,
      );
    return [{ in: 'context', name: variable }];
  });
}

/** @throws LocalError for an authorizer that API Gateway would refuse */
function authorizerOf({ id, where, properties }: ApiDefinitions['authorizers'][number]): Authorizer {
  const { AuthorizerUri, IdentitySource, AuthorizerResultTtlInSeconds: resultTtl } = properties;
  const sources = identitySources(IdentitySource, where);
  if (resultTtl > 0 && sources.length === 0)
    throw new LocalError(
      `${where} cannot run here: an authorizer whose responses are cached needs an identity source.`,
    );
  return { id, functionArn: functionIn(AuthorizerUri, where), identitySources: sources, resultTtl };
}

function authorizersOf({ authorizers }: ApiDefinitions): Map<string, Authorizer> {
  return new Map(authorizers.map((definition) => [definition.id, authorizerOf(definition)]));
}

/**
 * Checks the path part of a new resource.
 * @throws LocalError for a resource that API Gateway would refuse
 */
function checkPart(part: string, parent: ResourceNode, where: string): void {
  const sibling = [...parent.children.keys()].find(isVariable);
  if (isVariable(part) && sibling !== undefined)
    throw new LocalError(`${where} cannot run here: its sibling ${sibling} is also a variable path part.`);
  if (isGreedy(parent.path.split('/').at(-1) ?? ''))
    throw new LocalError(`${where} cannot run here: ${parent.path} matches all paths below it.`);
}

/** Builds the tree of resources below the root. In the definitions, parents precede their children. */
function treeOf({ resources }: ApiDefinitions, restApiId: string): Map<string, ResourceNode> {
  const root: ResourceNode = { id: rootResourceId(restApiId), path: '/', methods: new Map(), children: new Map() };
  const nodes = new Map([[root.id, root]]);
  for (const { id, where, properties } of resources) {
    const parent = nodes.get(properties.ParentId);
    if (properties.RestApiId !== restApiId || !parent) continue;
    checkPart(properties.PathPart, parent, where);
    const path = `${parent.path === '/' ? '' : parent.path}/${properties.PathPart}`;
    const node: ResourceNode = { id, path, methods: new Map(), children: new Map() };
    parent.children.set(properties.PathPart, node);
    nodes.set(id, node);
  }
  return nodes;
}

/**
 * Builds the integration of a method.
 * @throws LocalError for a setting that is not supported here or by API Gateway
 */
function integrationFor({ where, properties }: ApiDefinitions['methods'][number], links: Links): Method['integration'] {
  const { Integration, RequestParameters } = properties;
  if (Integration.Type === 'MOCK') return mockOf(properties, Integration, where);
  if (Integration.Type === 'HTTP_PROXY') return privateIntegrationOf(Integration, RequestParameters, links, where);
  return integrationOf(Integration, where);
}

function addMethods(
  definitions: ApiDefinitions,
  links: Links,
  restApiId: string,
  nodes: ReadonlyMap<string, ResourceNode>,
): void {
  const authorizers = authorizersOf(definitions);
  for (const method of definitions.methods) {
    const { where, properties } = method;
    const node = nodes.get(properties.ResourceId);
    if (properties.RestApiId !== restApiId || !node) continue;
    const { AuthorizationType, AuthorizerId = '' } = properties;
    const authorizer = AuthorizationType === 'CUSTOM' ? authorizers.get(AuthorizerId) : undefined;
    if (AuthorizationType === 'CUSTOM' && !authorizer)
      throw new LocalError(`${where} cannot run here: its authorizer is not in the template.`);
    node.methods.set(properties.HttpMethod, {
      resourceId: node.id,
      resourcePath: node.path,
      name: methodName(node.path, properties.HttpMethod),
      ...(authorizer && { authorizer }),
      apiKeyRequired: properties.ApiKeyRequired,
      integration: integrationFor(method, links),
    });
  }
}

function headerSource(mapping: string): HeaderSource | undefined {
  const { value } = STATIC.exec(mapping)?.groups ?? {};
  if (value !== undefined) return { value };
  const { variable } = CONTEXT.exec(mapping)?.groups ?? {};
  return variable === undefined ? undefined : { variable };
}

function headersOf(parameters: Readonly<Record<string, string>>, where: string): Record<string, HeaderSource> {
  const headers = Object.entries(parameters).map(([parameter, mapping]): [string, HeaderSource] => {
    const source = headerSource(mapping);
    if (!parameter.startsWith(HEADER) || !source)
      throw new LocalError(
        `${where} cannot run here: ${parameter} must be a header with a quoted value or a variable of the context.`,
      );
    return [parameter.slice(HEADER.length), source];
  });
  return Object.fromEntries(headers);
}

function responsesOf({ gatewayResponses }: ApiDefinitions, restApiId: string): Map<string, ResponseTemplate> {
  const ofApi = gatewayResponses.filter(({ properties }) => properties.RestApiId === restApiId);
  return new Map(
    ofApi.map(({ where, properties: { ResponseType, StatusCode, ResponseTemplates, ResponseParameters } }) => [
      ResponseType,
      {
        status: StatusCode,
        body: ResponseTemplates['application/json'],
        headers: headersOf(ResponseParameters, where),
      },
    ]),
  );
}

/**
 * Returns the stages of all APIs, by stage name, which is the first segment of the path on this machine.
 * @throws LocalError for a setting that is not supported here
 */
export function buildApis(
  definitions: ApiDefinitions,
  { loadBalancers }: LoadBalancers = noLoadBalancers(),
): Map<string, Api> {
  const apis = new Map<string, Api>();
  const links = { loadBalancers, vpcLinks: new Set(definitions.vpcLinks.map(({ id }) => id)) };
  for (const stage of definitions.stages) {
    const { RestApiId, StageName } = stage.properties;
    const restApi = definitions.restApis.find(({ id }) => id === RestApiId);
    if (!restApi) throw new LocalError(`${stage.where} cannot run here: its API is not in the template.`);
    const { Name, ApiKeySourceType, BinaryMediaTypes } = restApi.properties;
    const other = apis.get(StageName);
    if (other)
      throw new LocalError(
        `${stage.where} cannot run here: the path of stage ${StageName} is already in use by ${other.name}.`,
      );

    const nodes = treeOf(definitions, RestApiId);
    addMethods(definitions, links, RestApiId, nodes);
    const root = nodes.get(rootResourceId(RestApiId)) as ResourceNode;
    const responses = responsesOf(definitions, RestApiId);
    const usage = usageOf(definitions, stage);
    apis.set(StageName, {
      id: RestApiId,
      name: Name,
      stage: StageName,
      address: `https://${RestApiId}.execute-api.${account.region}.${account.urlSuffix}/${StageName}`,
      keySource: ApiKeySourceType,
      root,
      binaryMediaTypes: new Set(BinaryMediaTypes.map((type) => type.toLowerCase())),
      responses,
      usage,
    });
  }
  return apis;
}
