import * as z from 'zod/mini';
import { createLateSite, isLate } from '../../serve/late-site.ts';
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
  const { site } = cloud.product;
  if (site && isLate(declared, site)) cloud.lateSites.push(createLateSite(declared, site, cloud));
  const attributes = Object.entries(data).map(([name, value]) => [name, String(value)]);
  return { ref: physicalId, attributes: Object.fromEntries(attributes) };
});
