/** Reads the front door of a synthesized template. */
import type { Template } from 'aws-cdk-lib/assertions';

type Resource = ReturnType<Template['findResources']>[string];

/** Returns the only resource of the type, with its logical id. */
export function onlyOne(
  template: Template,
  type: string,
): { readonly id: string; readonly properties: Resource['Properties'] } {
  const [[id, resource] = ['', undefined], ...others] = Object.entries(template.findResources(type));
  if (!resource || others.length > 0) throw new Error(`The template must have exactly one ${type}.`);
  return { id, properties: resource.Properties };
}

interface Container {
  readonly Name: string;
  readonly Environment: readonly { readonly Name: string; readonly Value: unknown }[];
  readonly PortMappings: readonly { readonly ContainerPort: number }[];
}

/** Returns the container of the ingress. */
export function onlyContainer(template: Template): Container {
  const [container, ...others] = onlyOne(template, 'AWS::ECS::TaskDefinition').properties.ContainerDefinitions;
  if (!container || others.length > 0) throw new Error('The task of the ingress must have exactly one container.');
  return container;
}
