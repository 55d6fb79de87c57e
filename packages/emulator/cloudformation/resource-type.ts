/** A resource type that runs here: the properties that it supports, and the function that creates it. */
import * as z from 'zod/mini';
import type { Cloud } from '../cloud.ts';
import { LocalError } from '../local-error.ts';
import { describe, type Identity, physicalName, type Resource } from './resource.ts';

export interface ResourceType {
  /**
   * Creates the resource.
   * @throws LocalError for a property that is not supported here
   */
  create(resource: Resource, cloud: Cloud): Identity | Promise<Identity>;
  /** Whether unlisted attributes return placeholders. Only a type without effect can return placeholders. */
  readonly anyAttribute?: boolean;
}

function complaint(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => (path ? `${path}.${key}` : key));
    return keys.map((key) => `the property ${key} is not supported`).join('; ');
  }
  if (issue.input === undefined) return `the property ${path} is missing`;
  return `the property ${path} cannot be ${JSON.stringify(issue.input)}`;
}

/**
 * Declares a type that runs here. Its schema lists the supported properties. Any other property prevents the start,
 * because an ignored setting would take effect only in production.
 */
export function run<Schema extends z.ZodMiniType>(
  schema: Schema,
  create: (resource: Resource<z.output<Schema>>, cloud: Cloud) => Identity | Promise<Identity>,
): ResourceType {
  return {
    create(resource, cloud) {
      const parsed = z.safeParse(schema, resource.properties, { reportInput: true });
      if (parsed.success) return create({ ...resource, properties: parsed.data }, cloud);
      const complaints = parsed.error.issues.map(complaint);
      throw new LocalError(`${describe(resource)} cannot run here: ${complaints.join('; ')}.`);
    },
  };
}

/**
 * Declares a type that has no effect on one machine.
 * @param reason why the type needs no effect, for readers of the table
 */
export function withoutEffect(reason: string): ResourceType & { reason: string } {
  return {
    reason,
    anyAttribute: true,
    create: (resource: Resource) => ({ ref: physicalName(resource) }),
  };
}
