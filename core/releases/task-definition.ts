/** Task definitions as ECS takes them, and which templates they cannot be made from. */

import * as z from 'zod/mini';
import { type LaunchType, launchTypeSchema } from '../endpoints/release.ts';

const variableSchema = z.object({ name: z.string(), value: z.string() });

const containerSchema = z.looseObject({
  name: z.string(),
  image: z.optional(z.string()),
  environment: z.optional(z.array(variableSchema)),
});

export type Container = z.infer<typeof containerSchema>;

/** A task definition as it is registered, in ECS's words. */
export const taskDefinitionSchema = z.looseObject({
  family: z.string(),
  requiresCompatibilities: z.optional(z.array(z.string())),
  containerDefinitions: z.array(containerSchema),
});

export type TaskDefinition = z.infer<typeof taskDefinitionSchema>;

/** Names of the containers, as blueprints have them. */
export const AGENT = 'agent';

export const WORKER = 'worker';

/** Returns the launch type that the definition says, or undefined if it says none or several. */
export function launchTypeOf({ requiresCompatibilities = [] }: TaskDefinition): LaunchType | undefined {
  const [only, ...others] = requiresCompatibilities;
  const parsed = launchTypeSchema.safeParse(only);
  return parsed.success && others.length === 0 ? parsed.data : undefined;
}

/** What a template says cannot be run by an endpoint; the message is one sentence that says why, without any value of `env`. */
export class ReleaseRefused extends Error {}
