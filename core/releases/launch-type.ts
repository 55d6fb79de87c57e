/** The kind of capacity that a revision is made for. A service runs revisions of one launch type. */
import * as z from 'zod/mini';
import type { TaskDefinition } from './compose.ts';

export const launchTypeSchema = z.enum(['EC2', 'FARGATE']);
export type LaunchType = z.infer<typeof launchTypeSchema>;

/** Returns the launch type that the definition says, or undefined if it says none or several. */
export function launchTypeOf({ requiresCompatibilities = [] }: TaskDefinition): LaunchType | undefined {
  const [only, ...others] = requiresCompatibilities;
  const parsed = launchTypeSchema.safeParse(only);
  return parsed.success && others.length === 0 ? parsed.data : undefined;
}

/** Whether both are known and differ. */
export const isOtherLaunchType = (one: LaunchType | undefined, other: LaunchType | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other;
