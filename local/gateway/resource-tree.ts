/** The resources of a REST API and API Gateway's rules for finding one by its path. */
import type { Method } from './api.ts';

export interface ResourceNode {
  readonly id: string;
  /** Path with `{parameters}`, such as `/{endpoint}/run`. */
  readonly path: string;
  /** By HTTP method; `ANY` stands for all that are not there. */
  readonly methods: Map<string, Method>;
  readonly children: Map<string, ResourceNode>;
}

export interface Match {
  readonly node: ResourceNode;
  /** Values are as in the path, still encoded. */
  readonly parameters: Readonly<Record<string, string>>;
}

const GREEDY = /^\{(?<name>[^{}+]+)\+\}$/;
const PARAMETER = /^\{(?<name>[^{}+]+)\}$/;

/** The most specific resource wins at every segment: its literal name, then `{name}`, then `{name+}` for all the rest. */
export function findResource(node: ResourceNode, segments: readonly string[]): Match | undefined {
  const [segment, ...rest] = segments;
  if (segment === undefined) return { node, parameters: {} };
  const literal = node.children.get(segment);
  const found = literal && findResource(literal, rest);
  if (found) return found;
  if (segment === '') return undefined;
  for (const [part, child] of node.children) {
    const name = PARAMETER.exec(part)?.groups?.name;
    const below = name && findResource(child, rest);
    if (below) return { node: below.node, parameters: { [name]: segment, ...below.parameters } };
  }
  for (const [part, child] of node.children) {
    const name = GREEDY.exec(part)?.groups?.name;
    if (name) return { node: child, parameters: { [name]: segments.join('/') } };
  }
  return undefined;
}

/** The method for a request, if the resource has one. */
export const findMethod = ({ methods }: ResourceNode, httpMethod: string): Method | undefined =>
  methods.get(httpMethod) ?? methods.get('ANY');

/** `/a/b` as segments; the root has none. */
export const segmentsOf = (path: string): string[] => (path === '/' || path === '' ? [] : path.slice(1).split('/'));
