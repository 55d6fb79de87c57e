/** What workers run: a revision of a family that belongs to the running service, made from its stack's blueprint. */
import * as z from 'zod/mini';
import { withoutVolume } from './volume.ts';

/** A task definition as it is registered, in ECS's words. */
export const taskDefinitionSchema = z.looseObject({
  family: z.string(),
  containerDefinitions: z.array(z.looseObject({ name: z.string() })),
});
export type TaskDefinition = z.infer<typeof taskDefinitionSchema>;

/**
 * The blueprint has all that a deployment decides: agent, image, roles, capacity. It lies in a family of its own, of which
 * nothing ever runs, so that no deployment can come before a release.
 */
export const compose = (blueprint: TaskDefinition, family: string): TaskDefinition => ({
  ...withoutVolume(blueprint),
  family,
});
