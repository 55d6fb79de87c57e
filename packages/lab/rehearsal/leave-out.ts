/** Removes resources and all references to them from a template. */
import { isMap, type Resource, type Template } from './template.ts';

export interface LeftOut {
  readonly template: Template;
  /** Logical ids of the omitted resources, in the order of the template. */
  readonly resources: readonly string[];
  /** Paths of the references to omitted resources, such as `Resources.Route.Properties.NatGatewayId`. */
  readonly references: readonly string[];
}

/** Returns the replacement for a reference. Exports, and the stacks that import them, still need a value. */
const standIn = (id: string) => `left-out-${id}`;

/** Returns the logical id in a `Ref` or `Fn::GetAtt`. */
function referredBy(value: unknown): string | undefined {
  if (!isMap(value)) return undefined;
  const { Ref: id, 'Fn::GetAtt': attribute } = value;
  const named = Array.isArray(attribute) ? attribute[0] : attribute;
  if (typeof id === 'string') return id;
  return typeof named === 'string' ? named.split('.')[0] : undefined;
}

/** Matches a reference in the string of `Fn::Sub`: `${Id}` or `${Id.Attribute}`. */
const SUBSTITUTED = /\$\{([A-Za-z0-9]+)(?:\.[A-Za-z0-9.]+)?\}/g;

/**
 * Omits resources.
 * @param isLeftOut returns whether a resource is omitted
 * @returns the template without these resources. Each reference to one is replaced by a string with its logical id
 */
export function leaveOut(template: Template, isLeftOut: (resource: Resource) => boolean): LeftOut {
  const ids = Object.keys(template.Resources).filter((id) => isLeftOut(template.Resources[id] as Resource));
  const gone = new Set(ids);
  const references: string[] = [];

  function substitute(text: string, path: string): string {
    return text.replaceAll(SUBSTITUTED, (whole, id: string) => {
      if (!gone.has(id)) return whole;
      references.push(path);
      return standIn(id);
    });
  }

  function without(value: unknown, path: string): unknown {
    const id = referredBy(value);
    if (id !== undefined && gone.has(id)) {
      references.push(path);
      return standIn(id);
    }
    if (Array.isArray(value)) return value.map((element, index) => without(element, `${path}.${index}`));
    if (!isMap(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => {
        const at = `${path}.${name}`;
        return [name, name === 'Fn::Sub' && typeof inner === 'string' ? substitute(inner, at) : without(inner, at)];
      }),
    );
  }

  function resource(id: string, { DependsOn, ...rest }: Resource): Resource {
    const all = [DependsOn ?? []].flat();
    const kept = all.filter((other) => !gone.has(other));
    const its = without(rest, `Resources.${id}`) as Resource;
    if (DependsOn === undefined || kept.length === 0) return its;
    return { ...its, DependsOn: kept.length < all.length ? kept : DependsOn };
  }

  const kept = Object.entries(template.Resources).filter(([id]) => !gone.has(id));
  return {
    template: {
      ...template,
      Resources: Object.fromEntries(kept.map(([id, its]) => [id, resource(id, its)])),
      ...(template.Outputs && { Outputs: without(template.Outputs, 'Outputs') as Template['Outputs'] & object }),
    },
    resources: ids,
    references,
  };
}
