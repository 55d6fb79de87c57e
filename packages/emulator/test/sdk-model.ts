/** Compares our schemas of requests with the SDK's model of a service. */

/** A structure of the SDK's model: its kind, and the names and schemas of its members. */
type Structure = readonly [3, string, string, unknown, readonly string[], readonly unknown[]];

const unwrapped = (schema: unknown): unknown => {
  const inner = Array.isArray(schema) && typeof schema[0] === 'function' ? schema[0] : schema;
  return typeof inner === 'function' ? inner() : inner;
};

/** Returns the paths of members that our schema contains and the model does not. */
export function unknownMembers(schema: unknown, model: unknown, path: string): string[] {
  const { def } = (
    schema as { _zod: { def: { type: string; innerType?: unknown; element?: unknown; shape?: object } } }
  )._zod;
  if (def.innerType) return unknownMembers(def.innerType, model, path);
  const known = unwrapped(model);
  if (def.element) return unknownMembers(def.element, Array.isArray(known) ? known[4] : undefined, path);
  if (!def.shape) return [];
  const [kind, , , , names = [], schemas = []] = (Array.isArray(known) ? known : []) as unknown as Structure;
  return Object.entries(def.shape).flatMap(([name, member]) => {
    const at = kind === 3 ? names.indexOf(name) : -1;
    return at < 0 ? [`${path}.${name}`] : unknownMembers(member, schemas[at], `${path}.${name}`);
  });
}
