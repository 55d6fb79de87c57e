import { Logger } from '@aws-lambda-powertools/logger';
import type { EventBridgeEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { createWorld } from '../../aws/world.ts';
import { stopped } from '../../core/workers/stopped.ts';

const logger = new Logger();
const world = createWorld();

/** The last part of an ARN, or what follows the kind in a group: `service:echo`. */
const lastOf = (name: string, separator: string) => name.slice(name.lastIndexOf(separator) + 1);

const detailSchema = z.object({ taskArn: z.string(), group: z.string(), stoppedReason: z.optional(z.string()) });

/** A task of the cluster has stopped. */
export async function handler({ detail }: EventBridgeEvent<'ECS Task State Change', unknown>): Promise<void> {
  const { taskArn, group, stoppedReason } = detailSchema.parse(detail);
  const task = { service: lastOf(group, ':'), worker: lastOf(taskArn, '/') };
  const broughtBack = await stopped(world, task);
  logger.info('Task stopped.', { ...task, stoppedReason, broughtBack });
}
