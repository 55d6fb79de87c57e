import * as z from 'zod/mini';
import { createWorld } from '../../aws/world.ts';
import { endpointConfigSchema } from '../../core/endpoints/endpoint.ts';
import { examplesSchema } from '../../core/endpoints/examples.ts';
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
  examples: z._default(
    z.pipe(
      z.string(),
      z.pipe(
        z.transform((text: string): unknown => JSON.parse(text)),
        examplesSchema,
      ),
    ),
    [],
  ),
});

/** The custom resource of an endpoint's stack: the endpoint's record is there while the stack is. */
export const handler = customResource(
  async (event) => {
    if (event.RequestType === 'Delete') await world.endpoints.remove(event.PhysicalResourceId);
    else {
      const { examples, ...config } = propertiesSchema.parse(event.ResourceProperties);
      await world.endpoints.register(config, examples);
    }
  },
  ({ ResourceProperties }) => String(ResourceProperties.id),
);
