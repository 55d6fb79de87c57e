import { physicalName, type Resource, type ResourceType } from '../resource.ts';

/**
 * A type that changes nothing on one machine.
 * @param reason why that is right; for whoever reads the table
 * @param nameArn the resource's ARN, if the name alone does not make it
 */
export function withoutEffect(reason: string, nameArn?: (name: string) => string): ResourceType & { reason: string } {
  return {
    reason,
    anyAttribute: true,
    create(resource: Resource) {
      const name = physicalName(resource);
      return { ref: name, ...(nameArn && { attributes: { Arn: nameArn(name) } }) };
    },
  };
}
