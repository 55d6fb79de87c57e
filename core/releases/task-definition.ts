/** Task definitions in the form that ECS accepts. */

import * as z from 'zod/mini';
import { type LaunchType, launchTypeSchema } from '../endpoints/release.ts';

const variableSchema = z.object({ name: z.string(), value: z.string() });

const containerSchema = z.looseObject({
  name: z.string(),
  image: z.optional(z.string()),
  environment: z.optional(z.array(variableSchema)),
  dockerLabels: z.optional(z.record(z.string(), z.string())),
});

export type Container = z.infer<typeof containerSchema>;

/** A task definition as registered in ECS. */
export const taskDefinitionSchema = z.looseObject({
  family: z.string(),
  requiresCompatibilities: z.optional(z.array(z.string())),
  containerDefinitions: z.array(containerSchema),
});

export type TaskDefinition = z.infer<typeof taskDefinitionSchema>;

/** Names of the containers in blueprints. */
export const AGENT = 'agent';

export const WORKER = 'worker';

/**
 * Label of the blueprint's worker container with the caches of images (`ImageCaches`) as JSON. A label is a part of the
 * blueprint, so a change of the caches is released like any other.
 */
export const IMAGE_CACHES = 'gpu-endpoints.image-caches';

/** Returns the launch type of the definition, or undefined if it has none or more than one. */
export function launchTypeOf({ requiresCompatibilities = [] }: TaskDefinition): LaunchType | undefined {
  const [only, ...others] = requiresCompatibilities;
  const parsed = launchTypeSchema.safeParse(only);
  return parsed.success && others.length === 0 ? parsed.data : undefined;
}

/**
 * Thrown if an endpoint cannot run a template. The message is one sentence with the reason, without values of
 * `env`.
 */
export class ReleaseRefused extends Error {
  override readonly name = 'ReleaseRefused';
}
