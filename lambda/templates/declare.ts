import * as z from 'zod/mini';
import { createDeclaredWorld } from '../../aws/declared-world.ts';
import { declare, undeclare } from '../../core/templates/declare.ts';
import { customResource } from '../custom-resource.ts';
import { category, flag, settings } from './properties.ts';

const world = createDeclaredWorld();

const settingsSchema = z.object({ ...settings, name: z.string(), category, isServerless: flag });

/** The custom resource of an official template: it is there while its file is, and says what the file says. */
export const handler = customResource(
  async (event) => {
    const id = String(event.ResourceProperties.id);
    if (event.RequestType === 'Delete') await undeclare(world, event.PhysicalResourceId);
    else await declare(world, id, { ...settingsSchema.parse(event.ResourceProperties.settings), isPublic: true });
    return undefined;
  },
  ({ ResourceProperties }) => String(ResourceProperties.id),
);
