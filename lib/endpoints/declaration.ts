/** Reads the endpoints that Git declares: `endpoints/<id>.yaml`, one file each. */
import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type * as z from 'zod/mini';
import { ENDPOINT_ID } from '../../core/endpoints/endpoint-id.ts';
import { isReservedId } from '../../core/endpoints/reserved-ids.ts';
import { isolationProblems } from '../capacity/isolation.ts';
import { type Pool, readPools } from '../capacity/pool-declaration.ts';
import { declaredBy, InvalidDeclarations, readAll, readDeclaredFiles } from '../settings/declared-files.ts';
import { alarmsSchema } from './alarm-settings.ts';
import { declarationSchema } from './declaration-schema.ts';
import type { EndpointFields } from './endpoint-fields.ts';
import { httpSchema } from './http.ts';

/** The folder of the files. */
export const ENDPOINTS = 'endpoints';

/** Completes the sentence "the file name …". */
export const endpointIdMust = 'must be an endpoint id: at most 63 lower-case letters, digits and inner hyphens';

/** Returns the folder with the fields of endpoints that an environment overrides, relative to the root. */
const overridesOf = (environment: string) => join('environments', environment, ENDPOINTS);

/** Returns the file with the fields of an endpoint that an environment overrides, relative to the root. */
export const overrideFileOf = (environment: string, id: string) => join(overridesOf(environment), `${id}.yaml`);

export type EndpointDeclaration = Omit<z.output<ReturnType<typeof declarationSchema>>, 'deploy'> & {
  /**
   * The file name without its extension: path segment of the job interface, partition key, part of the stack's name.
   */
  readonly id: string;
};

function reservedProblems(declarations: readonly { readonly id: string }[]): string[] {
  return declarations
    .filter(({ id }) => isReservedId(id))
    .map(
      ({ id }) =>
        `endpoint ${id}: the id must not be "${id}", which is reserved for paths of the interfaces: a request to this endpoint could have two meanings. Choose another name`,
    );
}

const kindWith = (pools: readonly Pool[]) => ({
  id: ENDPOINT_ID,
  idMust: endpointIdMust,
  schema: declarationSchema(pools),
  nested: { alarms: Object.keys(alarmsSchema.shape), http: Object.keys(httpSchema.shape) },
});

/**
 * Returns an endpoint that is not in a file.
 * @param pools pools that the endpoint can name
 * @param others the other endpoints
 * @throws InvalidDeclarations with all problems
 */
export function declareEndpoint(
  id: string,
  fields: EndpointFields,
  { pools, others }: { readonly pools: readonly Pool[]; readonly others: readonly EndpointDeclaration[] },
): EndpointDeclaration {
  const { deploy: _, ...declaration } = declaredBy('endpoint', id, fields, kindWith(pools));
  const problems = [...reservedProblems([declaration]), ...isolationProblems(pools, [...others, declaration])];
  if (problems.length > 0) throw new InvalidDeclarations(problems);
  return declaration;
}

/**
 * Reads the endpoints that Git declares, in the order of their ids, without those that are not deployed.
 * @param root parent of `endpoints/` and of `capacity/`, whose pools endpoints can name
 * @param environment name of the environment whose overrides apply; without it, none apply
 * @throws InvalidDeclarations with all problems of all files
 */
export function readDeclarations(root: string, environment?: string): EndpointDeclaration[] {
  const pools = readPools(root);
  const all = readDeclaredFiles(root, {
    folder: ENDPOINTS,
    ...kindWith(pools),
    overrides: environment === undefined ? undefined : overridesOf(environment),
  });
  const declarations = all.flatMap(({ deploy, ...declaration }) => (deploy ? [declaration] : []));
  const problems = [...reservedProblems(all), ...isolationProblems(pools, declarations)];
  if (problems.length > 0) throw new InvalidDeclarations(problems);
  return declarations;
}

/**
 * Checks the overrides of all environments, because a merged change is deployed to each of them.
 * @throws InvalidDeclarations with all problems of all files
 */
export function checkOverrides(root: string): void {
  const folders = globSync(overridesOf('*'), { cwd: root }).toSorted((one, other) => one.localeCompare(other));
  const environments = folders.map((folder) => basename(dirname(folder)));
  readAll(environments.map((environment) => () => readDeclarations(root, environment)));
}
