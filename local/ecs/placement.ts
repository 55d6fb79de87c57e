/** Whether the cloud has a place for a task: this machine always has, so a file says what the provider refuses. */
import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { LocalError } from '../local-error.ts';
import type { Clock } from './clock.ts';
import type { ServiceDefinition } from './definitions.ts';
import { clusterArn, serviceArn } from './names.ts';
import { rules } from './rules.ts';
import type { EcsEvent, TaskState } from './task-state.ts';

/** What the provider says of a service, by the name of its stack. */
const refusalsSchema = z.nullable(z.record(z.string(), z.string()));

/**
 * Read anew for every task, so that capacity can go and come back.
 * @param file may not be there: then nothing is refused
 * @returns the provider's words; nothing if there is a place
 * @throws LocalError if the file holds something else
 */
export function refusalOf(file: string | undefined, { name }: ServiceDefinition): string | undefined {
  if (file === undefined || !existsSync(file)) return undefined;
  const refusals = z.safeParse(refusalsSchema, parse(readFileSync(file, 'utf8')));
  if (!refusals.success) throw new LocalError(`${file} must say what is refused, as in "Endpoint-echo: RESOURCE:GPU".`);
  return refusals.data?.[name];
}

/** ECS tells that it cannot place a task of the service. */
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

/** What the service says, too, of a task whose image could not be pulled. */
export function pullFailure(
  definition: ServiceDefinition,
  { lastStatus, stoppedReason = '' }: Partial<TaskState>,
  clock: Clock,
): EcsEvent | undefined {
  const isOne = lastStatus === 'STOPPED' && stoppedReason.startsWith(rules.cannotPull.value.error);
  return isOne ? placementFailure(definition, stoppedReason, clock) : undefined;
}
