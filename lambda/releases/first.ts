import * as z from 'zod/mini';
import { createReleasePorts } from '../../aws/releases/ports.ts';
import { endpointConfigSchema } from '../../core/endpoints/endpoint.ts';
import { end, first } from '../../core/releases/endpoint-stack.ts';
import { customResource } from '../custom-resource.ts';
import { number } from '../scalars.ts';

const ports = createReleasePorts();

const propertiesSchema = z.extend(
  z.pick(endpointConfigSchema, { owner: true, template: true, family: true, blueprint: true }),
  {
    endpoint: z.string(),
    pinTemplate: z.optional(number),
  },
);

/**
 * The custom resource of a family of task definitions. It creates a revision before the service is created,
 * and withdraws all revisions after the service is deleted.
 */
export const handler = customResource(
  async ({ RequestType, ResourceProperties }) => {
    const properties = propertiesSchema.parse(ResourceProperties);
    if (RequestType === 'Delete') await end(ports, properties);
    else await first(ports, properties);
  },
  ({ ResourceProperties }) => String(ResourceProperties.family),
);
