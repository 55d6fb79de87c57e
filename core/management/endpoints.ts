import type { Endpoint } from '../endpoints/endpoint.ts';
import type { World } from '../world.ts';

export type EndpointSummary = Pick<Endpoint, 'id' | 'image' | 'minWorkers' | 'maxWorkers' | 'executionTimeout'>;

/**
 * Lists the endpoints that a key may call.
 *
 * Input: the endpoint ids of the key, `*` for all. Output: the endpoints by id.
 */
export async function endpoints(
  world: Pick<World, 'endpoints'>,
  permitted: readonly string[],
): Promise<{ endpoints: EndpointSummary[] }> {
  const all = await world.endpoints.list();
  const visible = all.filter(({ id }) => permitted.includes('*') || permitted.includes(id));
  return {
    endpoints: visible.map(({ id, image, minWorkers, maxWorkers, executionTimeout }) => {
      return { id, image, minWorkers, maxWorkers, executionTimeout };
    }),
  };
}
