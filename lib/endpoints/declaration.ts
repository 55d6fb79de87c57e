/** Reads the endpoints that Git declares: `endpoints/<id>.yaml`, one file each. */
import type * as z from 'zod/mini';
import { ENDPOINT_ID } from '../../core/endpoints/endpoint.ts';
import { stages } from '../../core/routes.ts';
import { isolationProblems } from '../capacity/isolation.ts';
import { readPools } from '../capacity/pool-declaration.ts';
import { InvalidDeclarations, readDeclaredFiles, repository } from '../settings/declared-files.ts';
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

/**
 * The ingress accepts the stage of the job interface once or twice before a path. So `/v2/v2/openai/runsync` could be
 * `/openai/runsync` of an endpoint `v2` or `/runsync` of an endpoint `openai`.
 */
function stageProblems(declarations: readonly EndpointDeclaration[]): string[] {
  return declarations
    .filter(({ id }) => id === stages.jobs)
    .map(
      ({ id }) =>
        `endpoints/${id}.yaml: the file name must not be "${id}", which is the first part of the path of every job request: a request to this endpoint could reach another endpoint. Choose another name`,
    );
}

/**
 * Reads all declared endpoints, in the order of their ids.
 * @param root parent of `endpoints/` and of `capacity/`, whose pools endpoints can name
 * @throws InvalidDeclarations with all problems of all files
 */
export function readDeclarations(root: string = repository): EndpointDeclaration[] {
  const pools = readPools(root);
  const declarations = readDeclaredFiles(root, {
    folder: 'endpoints',
    id: ENDPOINT_ID,
    idMust: endpointIdMust,
    schema: declarationSchema(root, pools),
    nested: { http: Object.keys(httpSchema.shape) },
  });
  const problems = [...stageProblems(declarations), ...isolationProblems(pools, declarations)];
  if (problems.length > 0) throw new InvalidDeclarations(problems);
  return declarations;
}
