import * as z from 'zod/mini';
import { createRevisions } from '../../aws/revisions.ts';
import { createWorld } from '../../aws/world.ts';
import { end } from '../../core/releases/end.ts';
import { first } from '../../core/releases/first.ts';
import { customResource } from '../custom-resource.ts';

const world = Object.assign(createWorld(), { revisions: createRevisions() });

const propertiesSchema = z.object({ endpoint: z.string(), family: z.string(), blueprint: z.string() });

/** The custom resource of a family of task definitions: it has a revision before a service names it, and none without. */
export const handler = customResource(
  async ({ RequestType, ResourceProperties }) => {
    const properties = propertiesSchema.parse(ResourceProperties);
    if (RequestType === 'Delete') await end(world, properties);
    else await first(world, properties);
  },
  ({ ResourceProperties }) => String(ResourceProperties.family),
);
