import * as z from 'zod/mini';
import { createDeclaredPorts } from '../../aws/templates/ports.ts';
import { declare, undeclare } from '../../core/templates/declare.ts';
import { customResource } from '../custom-resource.ts';
import { flag } from '../scalars.ts';
import { category, settings } from './properties.ts';

const ports = createDeclaredPorts();

const settingsSchema = z.object({ ...settings, name: z.string(), category, isServerless: flag });

/**
 * The custom resource of an official template. Its deletion always succeeds: a template that endpoints use is
 * withdrawn, and deleted when the last endpoint dissociates it.
 */
export const handler = customResource(
  async (event) => {
    const id = String(event.ResourceProperties.id);
    if (event.RequestType === 'Delete') await undeclare(ports, event.PhysicalResourceId);
    else await declare(ports, id, { ...settingsSchema.parse(event.ResourceProperties.settings), isPublic: true });
    return undefined;
  },
  ({ ResourceProperties }) => String(ResourceProperties.id),
);
