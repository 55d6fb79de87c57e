/** A resource type that runs here: the properties that it supports, and what creates it. */
import * as z from 'zod/mini';
import type { Cloud } from '../cloud.ts';
import { LocalError } from '../local-error.ts';
import { describe, type Identity, physicalName, type Resource } from './resource.ts';

export interface ResourceType {
  /** @throws LocalError if a property asks for what cannot be had here */
  create(resource: Resource, cloud: Cloud): Identity | Promise<Identity>;
  /** Gives placeholders for attributes nobody listed; only what has no effect may do that. */
  readonly anyAttribute?: boolean;
}

function complaint(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => (path ? `${path}.${key}` : key));
    return `the property ${keys.join(', ')} cannot be honoured`;
  }
  if (issue.input === undefined) return `the property ${path} is missing`;
  return `the property ${path} cannot be ${JSON.stringify(issue.input)}`;
}

/**
 * A type that runs here. Its schema is the list of the properties that are honoured; another property stops the start,
 * because a setting that is silently dropped is found out in production.
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
 * A type that changes nothing on one machine.
 * @param reason why that is right; for whoever reads the table
 */
export function withoutEffect(reason: string): ResourceType & { reason: string } {
  return {
    reason,
    anyAttribute: true,
    create: (resource: Resource) => ({ ref: physicalName(resource) }),
  };
}
