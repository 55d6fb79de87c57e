import { createServices } from '../../aws/services.ts';
import { createWorld } from '../../aws/world.ts';
import { liveCount } from '../../core/releases/live-count.ts';
import { customResource } from '../custom-resource.ts';

const world = Object.assign(createWorld(), { services: createServices() });

/** The custom resource of a service's count: a change of the service leaves as many workers as there are. */
export const handler = customResource(
  async ({ RequestType, ResourceProperties }) => {
    if (RequestType === 'Delete') return undefined;
    return { count: await liveCount(world, String(ResourceProperties.endpoint)) };
  },
  ({ ResourceProperties }) => String(ResourceProperties.endpoint),
);
