/** Endpoints are declared in Git: `endpoints/<id>.yaml`, one file each. */
import type * as z from 'zod/mini';
import { ENDPOINT_ID } from '../core/endpoints/endpoint.ts';
import { isolationProblems } from './capacity/isolation.ts';
import { readPools } from './capacity/pool-declaration.ts';
import { declarationSchema } from './declaration-schema.ts';
import { InvalidDeclarations, readDeclaredFiles } from './declared-files.ts';
import { httpSchema } from './http-declaration.ts';
import { repository } from './repository.ts';

export type EndpointDeclaration = z.output<ReturnType<typeof declarationSchema>> & {
  /** The file's name: path segment of the job interface, partition key, part of the stack's name. */
  readonly id: string;
};

/**
 * Reads every declared endpoint, in the order of their ids.
 * @param root folder that holds `endpoints/`, and `capacity/`, whose pools endpoints may name
 * @throws InvalidDeclarations with all problems of all files
 */
export function readDeclarations(root: string = repository): EndpointDeclaration[] {
  const pools = readPools(root);
  const declarations = readDeclaredFiles(root, {
    folder: 'endpoints',
    id: ENDPOINT_ID,
    idMust: 'must be an endpoint id: at most 63 lower-case letters, digits and inner hyphens',
    schema: declarationSchema(root, pools),
    nested: { http: Object.keys(httpSchema.shape) },
  });
  const problems = isolationProblems(pools, declarations);
  if (problems.length > 0) throw new InvalidDeclarations(problems);
  return declarations;
}
