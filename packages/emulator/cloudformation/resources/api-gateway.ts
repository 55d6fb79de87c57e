import type * as z from 'zod/mini';
import type { ApiDefinitions, Definition } from '../../gateway/definitions.ts';
import * as definitions from '../../gateway/definitions.ts';
import { describe, type Identity, type Resource, shortId } from '../resource.ts';
import { type ResourceType, run } from '../resource-type.ts';

type Identify<Properties> = (id: string, resource: Resource<Properties>) => Identity;

/** Collects a part of an API. The parts are combined after all stacks are deployed. */
function part<Schema extends z.ZodMiniType>(
  schema: Schema,
  listIn: (apis: ApiDefinitions) => Definition<Schema>[],
  identify: Identify<z.output<Schema>> = (id) => ({ ref: id }),
): ResourceType {
  return run(schema, (resource, { apis }) => {
    const id = shortId(resource);
    listIn(apis).push({ id, where: describe(resource), properties: resource.properties });
    return identify(id, resource);
  });
}

export const restApi = part(
  definitions.restApi,
  (apis) => apis.restApis,
  (id) => ({ ref: id, attributes: { RestApiId: id, RootResourceId: definitions.rootResourceId(id) } }),
);
export const resource = part(definitions.resource, (apis) => apis.resources);
export const method = part(definitions.method, (apis) => apis.methods);
export const authorizer = part(
  definitions.authorizer,
  (apis) => apis.authorizers,
  (id) => ({ ref: id, attributes: { AuthorizerId: id } }),
);
export const gatewayResponse = part(definitions.gatewayResponse, (apis) => apis.gatewayResponses);
export const stage = part(
  definitions.stage,
  (apis) => apis.stages,
  (_, { properties }) => ({ ref: properties.StageName }),
);
export const usagePlan = part(
  definitions.usagePlan,
  (apis) => apis.usagePlans,
  (id) => ({ ref: id, attributes: { Id: id } }),
);
export const apiKey = part(
  definitions.apiKey,
  (apis) => apis.apiKeys,
  (id) => ({ ref: id, attributes: { APIKeyId: id } }),
);
export const vpcLink = part(
  definitions.vpcLink,
  (apis) => apis.vpcLinks,
  (id) => ({ ref: id, attributes: { VpcLinkId: id } }),
);
