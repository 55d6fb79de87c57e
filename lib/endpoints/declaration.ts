/** Reads the endpoints that Git declares: `endpoints/<id>.yaml`, one file each. */
import type * as z from 'zod/mini';
import { ENDPOINT_ID, isReservedId } from '../../core/endpoints/endpoint-id.ts';
import { isolationProblems } from '../capacity/isolation.ts';
import { readPools } from '../capacity/pool-declaration.ts';
import { InvalidDeclarations, readDeclaredFiles } from '../settings/declared-files.ts';
import { declarationSchema } from './declaration-schema.ts';
import { httpSchema } from './http.ts';

/** Completes the sentence "the file name …". */
export const endpointIdMust = 'must be an endpoint id: at most 63 lower-case letters, digits and inner hyphens';

export type EndpointDeclaration = z.output<ReturnType<typeof declarationSchema>> & {
  /**
   * The file name without its extension: path segment of the job interface, partition key, part of the stack's name.
   */
  readonly id: string;
};

function reservedProblems(declarations: readonly EndpointDeclaration[]): string[] {
  return declarations
    .filter(({ id }) => isReservedId(id))
    .map(
      ({ id }) =>
        `endpoints/${id}.yaml: the file name must not be "${id}", which is reserved for paths of the interfaces: a request to this endpoint could have two meanings. Choose another name`,
    );
}

/**
 * Reads all declared endpoints, in the order of their ids.
 * @param root parent of `endpoints/` and of `capacity/`, whose pools endpoints can name
 * @throws InvalidDeclarations with all problems of all files
 */
export function readDeclarations(root: string): EndpointDeclaration[] {
  const pools = readPools(root);
  const declarations = readDeclaredFiles(root, {
    folder: 'endpoints',
    id: ENDPOINT_ID,
    idMust: endpointIdMust,
    schema: declarationSchema(pools),
    nested: { http: Object.keys(httpSchema.shape) },
  });
  const problems = [...reservedProblems(declarations), ...isolationProblems(pools, declarations)];
  if (problems.length > 0) throw new InvalidDeclarations(problems);
  return declarations;
}
