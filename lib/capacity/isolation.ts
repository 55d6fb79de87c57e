/** The rule of pools with `isolation: endpoint`: one endpoint has all instances of the pool. */
import type { Pool } from './pool-declaration.ts';

/** An endpoint, with the id of the pool that it names, or `cpu`. */
interface Placed {
  readonly id: string;
  readonly capacity: string;
}

/**
 * Finds the endpoints that name a pool which another endpoint already has for itself.
 * @returns one sentence for each such endpoint; it names the file, the pool and both endpoints
 */
export function isolationProblems(pools: readonly Pool[], endpoints: readonly Placed[]): string[] {
  return pools
    .filter(({ isolation }) => isolation === 'endpoint')
    .flatMap((pool) => {
      const [first, ...further] = endpoints.filter(({ capacity }) => capacity === pool.id);
      return further.map(
        ({ id }) =>
          `endpoints/${id}.yaml: \`capacity\` of endpoint ${id} must be another than ${pool.id}: endpoint ${first?.id} has that pool for itself, as capacity/${pool.id}.yaml says \`isolation: endpoint\`. Declare a pool for ${id}, or remove \`isolation\`.`,
      );
    });
}
