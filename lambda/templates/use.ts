import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { createDeclaredWorld } from '../../aws/declared-world.ts';
import { leave, use, type Wish } from '../../core/templates/use.ts';
import { customResource } from '../custom-resource.ts';
import { category, number, settings } from './properties.ts';

const world = createDeclaredWorld();

const carriedSchema = z.object(settings);
const propertiesSchema = z.object({
  endpoint: z.string(),
  owner: z.optional(z.string()),
  category,
  largestDiskInGb: number,
  named: z.optional(z.string()),
  carried: z.optional(carriedSchema),
});
const beforeSchema = z.object({ carried: z.optional(carriedSchema) });

function wishFrom(event: CloudFormationCustomResourceEvent): Wish {
  const { named, carried, ...wish } = propertiesSchema.parse(event.ResourceProperties);
  const { endpoint, owner, ...place } = wish;
  const before = beforeSchema.safeParse('OldResourceProperties' in event ? event.OldResourceProperties : {}).data;
  const template = carried ? { carried, before: before?.carried } : { named: z.parse(z.string(), named) };
  return { endpoint, place, template, ...(owner !== undefined && { owner }) };
}

/** The id of the resource names the template, so that CloudFormation has the one before left when all has gone well. */
const idOf = (endpoint: string, template = '') => `${endpoint}/${template}`;

/** The custom resource of which template an endpoint runs: the attribute `template` is its id. */
export const handler = customResource(
  async (event) => {
    if (event.RequestType !== 'Delete') return { template: await use(world, wishFrom(event)) };
    const [endpoint = '', template] = event.PhysicalResourceId.split('/');
    // Nothing, if its creation has failed.
    if (template) await leave(world, endpoint, template);
    return undefined;
  },
  (event, { template } = {}) => {
    if (template !== undefined) return idOf(String(event.ResourceProperties.endpoint), String(template));
    return 'PhysicalResourceId' in event ? event.PhysicalResourceId : idOf(String(event.ResourceProperties.endpoint));
  },
);
