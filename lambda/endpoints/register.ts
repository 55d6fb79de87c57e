import * as z from 'zod/mini';
import { createWorld } from '../../aws/world.ts';
import { endpointConfigSchema } from '../../core/endpoints/endpoint.ts';
import { customResource } from '../custom-resource.ts';

const world = createWorld();

const number = z.pipe(z.coerce.number(), z.number());

/** CloudFormation turns every scalar into a string. */
const propertiesSchema = z.extend(endpointConfigSchema, {
  minWorkers: number,
  maxWorkers: number,
  concurrency: z.optional(number),
  idleTimeout: number,
  executionTimeout: number,
  largestDiskInGb: z.optional(number),
  pinTemplate: z.optional(number),
  streamEnvelope: z.optional(z.stringbool({ truthy: ['true'], falsy: ['false'] })),
});

/** The custom resource of an endpoint's stack: the endpoint's record is there while the stack is. */
export const handler = customResource(
  async (event) => {
    if (event.RequestType === 'Delete') await world.endpoints.remove(event.PhysicalResourceId);
    else await world.endpoints.register(propertiesSchema.parse(event.ResourceProperties));
  },
  ({ ResourceProperties }) => String(ResourceProperties.id),
);
