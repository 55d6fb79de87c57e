import * as z from 'zod/mini';
import { createPlanKeys } from '../../aws/rates/plan-keys.ts';
import { changePlanKeys } from '../../core/rates/plan-keys.ts';
import { customResource } from '../custom-resource.ts';

const planKeys = createPlanKeys();

const propertiesSchema = z.object({ keys: z.array(z.object({ keyId: z.string(), usagePlanId: z.string() })) });

const keysIn = (properties: unknown) => propertiesSchema.parse(properties).keys;

/** The custom resource that adds hidden keys to usage plans while the stack declares them. */
export const handler = customResource(
  async (event) => {
    const declared = keysIn(event.ResourceProperties);
    if (event.RequestType === 'Delete') await changePlanKeys(planKeys, declared, []);
    else {
      const before = event.RequestType === 'Update' ? keysIn(event.OldResourceProperties) : [];
      await changePlanKeys(planKeys, before, declared);
    }
    return undefined;
  },
  // The id never changes, so an update removes obsolete keys itself, before it adds others.
  ({ LogicalResourceId }) => LogicalResourceId,
);
