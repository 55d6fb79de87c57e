/** Checks which fields of a template an endpoint's capacity does not support. */

import type { Category } from '../endpoints/endpoint.ts';
import { AGENT_PORT } from '../workers/protocol.ts';
import { pullRefusal } from './ecr-image.ts';
import type { TemplateSettings } from './template.ts';

/** The capacity of an endpoint's workers. */
export interface Place {
  /** Kind of processors. */
  readonly category: Category;
  /** Largest disk that one worker can have, as its share of an instance's disk. */
  readonly largestDiskInGb: number;
  /** Repositories of Amazon ECR from which the role that starts workers may pull (`repositoryAddress`). */
  readonly imageRepositories: readonly string[];
}

type Field = 'isServerless' | 'category' | 'imageName' | 'containerDiskInGb' | 'ports';

/** A field that the capacity does not support, and the end of the sentence "`field` …". */
export type CapacityRefusal = readonly [field: Field, message: string];

/** Returns the port number of `8080/http`. */
export const portNumber = (port: string): number => Number(port.split('/')[0]);

/**
 * Refuses the agent's port. Other ports are supported on all kinds of capacity, because each worker shares its
 * address only with its agent.
 */
export function* portRefusals(ports: readonly string[], agentPort = AGENT_PORT): Generator<CapacityRefusal> {
  if (ports.some((port) => portNumber(port) === agentPort))
    yield ['ports', `must not contain ${agentPort}, which the agent beside the container uses`];
}

function* placeRefusals(
  { category, imageName, containerDiskInGb: disk }: CapacitySettings,
  place: Place,
): Generator<CapacityRefusal> {
  if (category !== place.category)
    yield ['category', `must be ${place.category}, the category of the endpoint's capacity, got ${category}`];
  const refusal = pullRefusal(imageName, place.imageRepositories);
  if (refusal !== undefined) yield ['imageName', refusal];
  if (disk > place.largestDiskInGb)
    yield [
      'containerDiskInGb',
      `must be at most ${place.largestDiskInGb}, the largest disk of a worker on the endpoint's capacity, got ${disk}`,
    ];
}

/**
 * Yields each field that the capacity does not support, in the order of the fields. Volumes are always supported,
 * because every kind of capacity can mount the network file system.
 * @param place - undefined if the caller has checked the fields that it restricts
 */
export function* capacityRefusals(settings: CapacitySettings, place: Place | undefined): Generator<CapacityRefusal> {
  if (!settings.isServerless) yield ['isServerless', 'must be true: endpoints run workers, and Pods are not supported'];
  if (place) yield* placeRefusals(settings, place);
  yield* portRefusals(settings.ports);
}

export type CapacitySettings = Pick<TemplateSettings, Field>;

/** Returns the refusals as one sentence, or undefined if there are none. */
export function refusalSentence(refusals: Iterable<CapacityRefusal>): string | undefined {
  const clauses = [...refusals].map(([field, message]) => `\`${field}\` ${message}`);
  return clauses.length === 0 ? undefined : `${clauses.join('; ')}.`;
}
