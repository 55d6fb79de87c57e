import { physicalName, type Resource, type ResourceType } from '../resource.ts';

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
