import * as z from 'zod/mini';
import { createLateConsole, isLate } from '../../serve/console.ts';
import { run } from '../resource-type.ts';

const customSchema = z.looseObject({
  ServiceToken: z.string(),
  /** Seconds. */
  ServiceTimeout: z.optional(z.coerce.number()),
});

/** CloudFormation's default timeout, in seconds. */
const DEFAULT_TIMEOUT = 3600;

export const customResource = run(customSchema, async ({ stack, logicalId, type, properties }, cloud) => {
  const declared = {
    stackName: stack.id,
    logicalId,
    type,
    serviceToken: properties.ServiceToken,
    properties,
    limit: (properties.ServiceTimeout ?? DEFAULT_TIMEOUT) * 1000,
  };
  const { physicalId, data } = await cloud.customResources.apply(declared);
  const { console } = cloud.product;
  if (isLate(declared, console)) cloud.lateConsoles.push(createLateConsole(declared, console, cloud));
  const attributes = Object.entries(data).map(([name, value]) => [name, String(value)]);
  return { ref: physicalId, attributes: Object.fromEntries(attributes) };
});
