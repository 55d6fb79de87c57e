/** Capacity for tasks. This machine always has some, so a file lists the services that the provider refuses. */
import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { LocalError } from '../local-error.ts';
import type { Clock } from './clock.ts';
import type { ServiceDefinition } from './definitions.ts';
import { clusterArn, serviceArn } from './names.ts';
import { rules } from './rules.ts';
import type { EcsEvent, TaskState } from './task-state.ts';

/** The message of the provider about a service, by the name of its stack. */
const refusalsSchema = z.nullable(z.record(z.string(), z.string()));

/**
 * The provider's refusal of a task. The file is read for every task, so that it can change during a run.
 * @param file may not exist: then no task is refused
 * @returns the provider's message; undefined if there is capacity
 * @throws LocalError if the file has another content
 */
export function refusalOf(file: string | undefined, { name }: ServiceDefinition): string | undefined {
  if (file === undefined || !existsSync(file)) return undefined;
  const refusals = z.safeParse(refusalsSchema, parse(readFileSync(file, 'utf8')));
  if (!refusals.success) throw new LocalError(`${file} must say what is refused, as in "Endpoint-echo: RESOURCE:GPU".`);
  return refusals.data?.[name];
}

/** The event of a service whose task cannot be placed. */
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

/** The same event of a service whose task could not pull its image. */
export function pullFailure(
  definition: ServiceDefinition,
  { lastStatus, stoppedReason = '' }: Partial<TaskState>,
  clock: Clock,
): EcsEvent | undefined {
  const isOne = lastStatus === 'STOPPED' && stoppedReason.startsWith(rules.cannotPull.value.error);
  return isOne ? placementFailure(definition, stoppedReason, clock) : undefined;
}
