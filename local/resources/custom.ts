import * as z from 'zod/mini';
import { run } from '../resource.ts';

const customSchema = z.looseObject({
  ServiceToken: z.string(),
  /** Seconds. */
  ServiceTimeout: z.optional(z.coerce.number()),
});

/** CloudFormation's own, in seconds. */
const DEFAULT_TIMEOUT = 3600;

export const customResource = run(customSchema, async ({ stack, logicalId, type, properties }, { customResources }) => {
  const { physicalId, data } = await customResources.apply({
    stackName: stack.id,
    logicalId,
    type,
    serviceToken: properties.ServiceToken,
    properties,
    limit: (properties.ServiceTimeout ?? DEFAULT_TIMEOUT) * 1000,
  });
  const attributes = Object.entries(data).map(([name, value]) => [name, String(value)]);
  return { ref: physicalId, attributes: Object.fromEntries(attributes) };
});
