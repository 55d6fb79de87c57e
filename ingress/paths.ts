/** Finds the operation of a request by its method and its path below the stage. */
import { type JobOperation, jobRoutes, PATH_PARAMETER, stages } from '../core/routes.ts';

export interface Target {
  readonly operation: JobOperation;
  readonly endpoint: string;
  /** Id of the job; empty if the path has none. */
  readonly job: string;
  /** Value of the greedy parameter; empty if the route has none. */
  readonly path: string;
}

/**
 * Matches the path with the stage once or twice: `/{endpoint}/status/{job}` of the stage `v2` matches
 * `/v2/echo/status/1` and `/v2/v2/echo/status/1`. API Gateway's documentation states that it puts the stage before
 * the path of a private integration, but not whether before every path.
 */
function patternOf(path: string): RegExp {
  const pattern = path.replace(
    PATH_PARAMETER,
    (_, name: string, greedy: string) => `(?<${name}>${greedy ? '.+' : '[^/]+'})`,
  );
  // A greedy parameter also accepts a trailing slash.
  const end = path.endsWith('+}') ? '' : '/?';
  return new RegExp(`^(?:/${stages.jobs}){1,2}${pattern}${end}$`);
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/**
 * Returns a function that finds the target of a request among the operations. The function returns undefined for a path
 * or method that no operation has, and for a path with invalid percent-encoding.
 */
export function createPaths<Operation extends JobOperation>(operations: readonly Operation[]) {
  const routes = operations.map((operation) => {
    const { path, methods } = jobRoutes[operation];
    return { operation, pattern: patternOf(path), methods: methods as readonly string[] };
  });
  return (method: string, path: string): (Target & { readonly operation: Operation }) | undefined => {
    for (const { operation, pattern, methods } of routes) {
      const { endpoint, job, path: rest } = pattern.exec(path)?.groups ?? {};
      if (endpoint === undefined || !methods.includes(method)) continue;
      const [endpointId, jobId, below] = [decoded(endpoint), decoded(job ?? ''), decoded(rest ?? '')];
      if (endpointId === undefined || jobId === undefined || below === undefined) return undefined;
      return { operation, endpoint: endpointId, job: jobId, path: below };
    }
    return undefined;
  };
}
