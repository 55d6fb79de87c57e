/** CloudFormation templates in the form that CDK writes, and the order in which their resources are created. */

/** A value of a template before intrinsic functions are resolved. */
export type TemplateValue = unknown;

export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, TemplateValue>>;
  readonly DependsOn?: string | readonly string[];
  readonly Condition?: string;
}

export interface TemplateOutput {
  readonly Value: TemplateValue;
  readonly Export?: { readonly Name: TemplateValue };
  readonly Condition?: string;
}

export interface Template {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Outputs?: Readonly<Record<string, TemplateOutput>>;
  readonly Parameters?: Readonly<Record<string, { readonly Type?: string; readonly Default?: string }>>;
  readonly Conditions?: Readonly<Record<string, TemplateValue>>;
  readonly Mappings?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
}

/** A variable in the string of `Fn::Sub`; `${!text}` is the literal `${text}`. */
export const SUB_VARIABLE = /\$\{([^!${}][^${}]*)\}/g;

/** Returns the logical ids that a value refers to, with or without an attribute. */
export function references(value: TemplateValue): string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, argument]) => {
    if (name === 'Ref') return [String(argument)];
    if (name === 'Fn::GetAtt') return [String(Array.isArray(argument) ? argument[0] : argument).split('.')[0] ?? ''];
    if (name === 'Fn::Sub') {
      const [text, variables] = Array.isArray(argument) ? argument : [argument];
      const named = [...String(text).matchAll(SUB_VARIABLE)].map(([, variable = '']) => variable.split('.')[0] ?? '');
      return [...named, ...references(variables)];
    }
    return references(argument);
  });
}

/** Returns the resources in deployment order: each one after the resources that it refers to or depends on. */
export function inDeploymentOrder({ Resources }: Template): [logicalId: string, resource: TemplateResource][] {
  const ordered = new Map<string, TemplateResource>();
  const visit = (logicalId: string, path: readonly string[]) => {
    const resource = Resources[logicalId];
    if (!resource || ordered.has(logicalId)) return; // A parameter is not a resource.
    if (path.includes(logicalId)) throw new Error(`Circular dependency: ${[...path, logicalId].join(' -> ')}`);
    const dependencies = [resource.DependsOn ?? []].flat();
    for (const next of [...dependencies, ...references(resource.Properties)]) visit(next, [...path, logicalId]);
    ordered.set(logicalId, resource);
  };
  for (const logicalId of Object.keys(Resources)) visit(logicalId, []);
  return [...ordered];
}
