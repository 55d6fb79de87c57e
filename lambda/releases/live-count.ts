import * as z from 'zod/mini';
import { adaptersOf, portsFrom } from '../../aws/ports.ts';
import { createServices } from '../../aws/workers/services.ts';
import { liveCount } from '../../core/releases/endpoint-stack.ts';
import { customResource } from '../custom-resource.ts';

const ports = portsFrom({ ...adaptersOf(), services: () => createServices() });

/**
 * `service` has all properties of the service's resource except the count. If one of them changes, the count is read
 * again.
 */
const propertiesSchema = z.object({ endpoint: z.string(), service: z.looseObject({ cluster: z.string() }) });

/** The custom resource of a service's count, which keeps the current number of workers when the service is updated. */
export const handler = customResource(
  async ({ RequestType, ResourceProperties }) => {
    if (RequestType === 'Delete') return undefined;
    const { endpoint, service } = propertiesSchema.parse(ResourceProperties);
    return { count: await liveCount(ports, { endpoint, cluster: service.cluster }) };
  },
  ({ ResourceProperties }) => String(ResourceProperties.endpoint),
);
