import * as z from 'zod/mini';
import { ignored } from '../resource.ts';
import { run } from '../resource-type.ts';

const ruleSchema = z.strictObject({
  EcrRepositoryPrefix: z.string(),
  UpstreamRegistryUrl: z.string(),
  UpstreamRegistry: ignored,
  // Images are not pulled here, so no login is needed.
  CredentialArn: ignored,
});

/** Tasks find the images of the cache by the names that they have in their registry. */
export const pullThroughCacheRule = run(ruleSchema, ({ properties }, { ecs }) => {
  const { EcrRepositoryPrefix: prefix, UpstreamRegistryUrl: registry } = properties;
  ecs.families.caches.set(prefix, registry);
  return { ref: prefix };
});
