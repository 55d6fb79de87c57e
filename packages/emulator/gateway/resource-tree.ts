/** The resources of a REST API and API Gateway's rules for finding a method by path and HTTP method. */
import type { Method, ResourceNode } from './model.ts';

export interface Match {
  readonly node: ResourceNode;
  readonly method: Method;
  /** Path parameters. Values are as in the path, still encoded. */
  readonly parameters: Readonly<Record<string, string>>;
}

const GREEDY = /^\{(?<name>[^{}+]+)\+\}$/;
const PARAMETER = /^\{(?<name>[^{}+]+)\}$/;

/** The methods that `ANY` covers. */
const EVERY_METHOD = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

/** Returns whether a path part is variable. API Gateway allows one variable part below each resource. */
export const isVariable = (part: string): boolean => GREEDY.test(part) || PARAMETER.test(part);

export const isGreedy = (part: string): boolean => GREEDY.test(part);

function methodOf({ methods }: ResourceNode, httpMethod: string): Method | undefined {
  return methods.get(httpMethod) ?? (EVERY_METHOD.has(httpMethod) ? methods.get('ANY') : undefined);
}

/**
 * Returns the most specific resource that has the method, or undefined if none has it. At every segment, a literal
 * name precedes `{name}`, which precedes `{name+}` for the rest of the path. If a resource does not have the
 * method, a less specific one is used.
 */
export function findRoute(node: ResourceNode, segments: readonly string[], httpMethod: string): Match | undefined {
  const [segment, ...rest] = segments;
  if (segment === undefined) {
    const method = methodOf(node, httpMethod);
    return method && { node, method, parameters: {} };
  }
  const literal = node.children.get(segment);
  const found = literal && findRoute(literal, rest, httpMethod);
  if (found) return found;
  for (const [part, child] of node.children) {
    const name = segment === '' ? undefined : PARAMETER.exec(part)?.groups?.name;
    const below = name && findRoute(child, rest, httpMethod);
    if (below) return { ...below, parameters: { [name]: segment, ...below.parameters } };
  }
  const remainder = segments.join('/');
  for (const [part, child] of node.children) {
    const name = GREEDY.exec(part)?.groups?.name;
    const method = name && remainder !== '' && methodOf(child, httpMethod);
    if (method) return { node: child, method, parameters: { [name]: remainder } };
  }
  return undefined;
}

/** Splits `/a/b` into segments; the root has none. */
export const segmentsOf = (path: string): string[] => (path === '/' || path === '' ? [] : path.slice(1).split('/'));
