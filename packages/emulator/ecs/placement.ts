/** Capacity for tasks. This machine always has capacity, so a file lists the services that the provider refuses. */
import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { LocalError } from '../local-error.ts';
import type { Clock } from './clock.ts';
import type { ServiceDefinition } from './definitions.ts';
import { clusterArn, serviceArn } from './names.ts';
import { rules } from './rules.ts';
import type { EcsEvent, TaskState } from './task-state.ts';

/** The provider's message for each refused service, by the name of its stack. */
const refusalsSchema = z.nullable(z.record(z.string(), z.string()));

/**
 * Returns the provider's refusal of a task. The file is read for every task, so that it can change during a run.
 * @param file if the file does not exist, no task is refused
 * @returns the provider's message; undefined if there is capacity
 * @throws LocalError if the file is invalid
 */
export function refusalOf(file: string | undefined, { name }: ServiceDefinition): string | undefined {
  if (file === undefined || !existsSync(file)) return undefined;
  const refusals = z.safeParse(refusalsSchema, parse(readFileSync(file, 'utf8')));
  if (!refusals.success)
    throw new LocalError(`${file} must map names of stacks to messages, as in "STACK: RESOURCE:GPU".`);
  return refusals.data?.[name];
}

/** Returns the event of a service whose task cannot be placed. */
export function placementFailure({ cluster, serviceName }: ServiceDefinition, reason: string, clock: Clock): EcsEvent {
  const { eventType, eventName } = rules.placementFailure.value;
  return {
    source: 'aws.ecs',
    'detail-type': 'ECS Service Action',
    resources: [serviceArn(cluster, serviceName)],
    detail: {
      eventType,
      eventName,
      clusterArn: clusterArn(cluster),
      reason,
      createdAt: new Date(clock.now()).toISOString(),
    },
  };
}

/** Returns the event of a service if its task could not pull an image. */
export function pullFailure(
  definition: ServiceDefinition,
  { lastStatus, stoppedReason = '' }: Partial<TaskState>,
  clock: Clock,
): EcsEvent | undefined {
  const isOne = lastStatus === 'STOPPED' && stoppedReason.startsWith(rules.cannotPull.value.error);
  return isOne ? placementFailure(definition, stoppedReason, clock) : undefined;
}
