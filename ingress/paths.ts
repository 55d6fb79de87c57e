/** Finds the operation of a request by its method and its path. */

import { INTEGRATION_PATH, INVALID_PATH } from '../core/http/ingress.ts';
import { type JobOperation, jobRoutes, PATH_PARAMETER, stages } from '../core/operations/routes.ts';
import { InvalidRequest } from '../core/requests/errors.ts';

export interface Target {
  readonly operation: JobOperation;
  readonly endpoint: string;
  /** Id of the job; empty if the path has none. */
  readonly job: string;
  /** Value of the greedy parameter; empty if the route has none. */
  readonly path: string;
}

/**
 * Beginnings of paths, by the sender of the request. Each path has one beginning, so each path has one meaning.
 * API Gateway requests `INTEGRATION_PATH`, with or without the stage before it. The distribution sends the path of the
 * client.
 */
export const beginnings = {
  gateway: `(?:/${stages.jobs})?${INTEGRATION_PATH}`,
  distribution: `/${stages.jobs}`,
} as const;

type Beginning = (typeof beginnings)[keyof typeof beginnings];

function patternOf(path: string, beginning: Beginning): RegExp {
  const pattern = path.replace(
    PATH_PARAMETER,
    (_, name: string, greedy: string) => `(?<${name}>${greedy ? '.+' : '[^/]+'})`,
  );
  return new RegExp(`^${beginning}${pattern}$`);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new InvalidRequest(INVALID_PATH, { cause });
  }
}

/**
 * Returns a function that finds the target of a request among the operations. The function returns undefined for a path
 * or method that no operation has.
 * @throws InvalidRequest for a path of an operation with invalid percent-encoding
 */
export function createPaths<Operation extends JobOperation>(operations: readonly Operation[], beginning: Beginning) {
  const routes = operations.map((operation) => {
    const { path, methods } = jobRoutes[operation];
    return { operation, pattern: patternOf(path, beginning), methods: methods as readonly string[] };
  });
  return (method: string, path: string): (Target & { readonly operation: Operation }) | undefined => {
    for (const { operation, pattern, methods } of routes) {
      const { endpoint, job = '', path: below = '' } = pattern.exec(path)?.groups ?? {};
      if (endpoint === undefined || !methods.includes(method)) continue;
      return { operation, endpoint: decoded(endpoint), job: decoded(job), path: decoded(below) };
    }
    return undefined;
  };
}
