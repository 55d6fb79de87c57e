/** The rule of pools with `isolation: endpoint`: only one endpoint uses the instances of the pool. */
import type { Pool } from './pool-declaration.ts';

/** An endpoint with the id of its pool, or `cpu`. */
interface Placed {
  readonly id: string;
  readonly capacity: string;
}

/**
 * Finds the endpoints that name the reserved pool of another endpoint.
 * @returns one sentence for each of these endpoints, with the pool and both endpoints
 */
export function isolationProblems(pools: readonly Pool[], endpoints: readonly Placed[]): string[] {
  return pools
    .filter(({ isolation }) => isolation === 'endpoint')
    .flatMap((pool) => {
      const [first, ...further] = endpoints.filter(({ capacity }) => capacity === pool.id);
      return further.map(
        ({ id }) =>
          `endpoint ${id}: \`capacity\` must not be ${pool.id}: that pool has \`isolation: endpoint\`, and endpoint ${first?.id} already uses it. Declare a pool for ${id}, or remove \`isolation\`.`,
      );
    });
}
