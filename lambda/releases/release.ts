import { createReleaseWorld } from '../../aws/release-world.ts';
import { release } from '../../core/releases/release.ts';
import { scale } from '../../core/workers/scale.ts';
import { customResource } from '../custom-resource.ts';

const world = createReleaseWorld();

/** The custom resource of what an endpoint runs: the service follows its record, in revision and least workers. */
export const handler = customResource(
  async ({ RequestType, ResourceProperties }) => {
    const endpoint = String(ResourceProperties.endpoint);
    if (RequestType === 'Delete') return;
    await release(world, endpoint);
    await scale(world, endpoint, 'up');
  },
  ({ ResourceProperties }) => String(ResourceProperties.endpoint),
);
