/** Event patterns of EventBridge rules and Lambda filters. */
import { LocalError } from '../local-error.ts';

export type Matches = (event: object) => boolean;

type Scalar = string | number | boolean | null;
/** Matches the values at one path of an event; the list is empty if the path is missing. */
type LeafMatches = (values: readonly Scalar[]) => boolean;

const isScalar = (value: unknown): value is Scalar =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the values under the name. An array counts as its items. */
function membersOf(nodes: readonly unknown[], name: string): unknown[] {
  return nodes.flatMap((node) => (isObject(node) && Object.hasOwn(node, name) ? [node[name]] : [])).flat();
}

/** Functions that compile an operator's argument, by operator. They return undefined for an invalid argument. */
const matchers: Readonly<Record<string, (argument: unknown) => LeafMatches | undefined>> = {
  prefix: (start) =>
    typeof start === 'string'
      ? (values) => values.some((value) => typeof value === 'string' && value.startsWith(start))
      : undefined,
  exists: (expected) => (typeof expected === 'boolean' ? (values) => values.length > 0 === expected : undefined),
  'anything-but': (excluded) => {
    const list = [excluded].flat();
    if (!list.every((value) => typeof value === 'string' || typeof value === 'number')) return undefined;
    return (values) => values.some((value) => !list.some((other) => other === value));
  },
};

function compileLeaf(rule: unknown, fail: (what: string) => never): LeafMatches {
  if (isScalar(rule)) return (values) => values.includes(rule);
  const [[name, argument] = ['', undefined], ...others] = isObject(rule) ? Object.entries(rule) : [];
  const matches = others.length === 0 && Object.hasOwn(matchers, name) ? matchers[name]?.(argument) : undefined;
  return matches ?? fail(JSON.stringify(rule));
}

/** Compiles a pattern for the nodes at a path. Different nodes can meet different conditions, as in EventBridge. */
function compileNode(
  pattern: Readonly<Record<string, unknown>>,
  path: string,
  where: string,
): (nodes: readonly unknown[]) => boolean {
  const conditions = Object.entries(pattern).map(([name, rule]) => {
    const place = path ? `${path}.${name}` : name;
    const fail = (what: string): never => {
      throw new LocalError(`${where} cannot run here: its pattern has ${what} at ${place}.`);
    };
    if (name.startsWith('$')) return fail(name);
    if (isObject(rule)) {
      const matches = compileNode(rule, place, where);
      return (nodes: readonly unknown[]) => matches(membersOf(nodes, name));
    }
    if (!Array.isArray(rule) || rule.length === 0) return fail(JSON.stringify(rule));
    const leaves = rule.map((item) => compileLeaf(item, fail));
    return (nodes: readonly unknown[]) => {
      const values = membersOf(nodes, name).filter(isScalar);
      return leaves.some((matches) => matches(values));
    };
  });
  return (nodes) => conditions.every((holds) => holds(nodes));
}

/**
 * Compiles a pattern.
 * @param where describes the resource in a sentence
 * @throws LocalError for a pattern with matchers other than exact values, `prefix`, `exists` and `anything-but`
 */
export function compilePattern(pattern: unknown, where: string): Matches {
  if (!isObject(pattern)) throw new LocalError(`${where} cannot run here: its pattern is not an object.`);
  const matches = compileNode(pattern, '', where);
  return (event) => matches([event]);
}
