import * as z from 'zod/mini';
import { createPorts } from '../../aws/ports.ts';
import { createServices } from '../../aws/services.ts';
import { liveCount } from '../../core/releases/stack.ts';
import { customResource } from '../custom-resource.ts';

const ports = Object.assign(createPorts(), { services: createServices() });

/** Of the service, all that its template says of it but the count: a change of any of it asks for the count again. */
const propertiesSchema = z.object({ endpoint: z.string(), service: z.looseObject({ cluster: z.string() }) });

/** The custom resource of a service's count: a change of the service leaves as many workers as there are. */
export const handler = customResource(
  async ({ RequestType, ResourceProperties }) => {
    if (RequestType === 'Delete') return undefined;
    const { endpoint, service } = propertiesSchema.parse(ResourceProperties);
    return { count: await liveCount(ports, { endpoint, cluster: service.cluster }) };
  },
  ({ ResourceProperties }) => String(ResourceProperties.endpoint),
);
