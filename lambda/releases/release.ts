import { createReleasePorts } from '../../aws/releases/ports.ts';
import { scale } from '../../core/fleet/scale.ts';
import { release } from '../../core/releases/release.ts';
import { customResource } from '../custom-resource.ts';

const ports = createReleasePorts();

/**
 * The custom resource of an endpoint's release: it sets the endpoint's revision and minimum number of workers in the
 * service.
 */
export const handler = customResource(
  async ({ RequestType, ResourceProperties }) => {
    const endpoint = String(ResourceProperties.endpoint);
    if (RequestType === 'Delete') return;
    await release(ports, endpoint);
    await scale(ports, endpoint, 'up');
  },
  ({ ResourceProperties }) => String(ResourceProperties.endpoint),
);
