/** What an endpoint cannot honour of a template, by what its workers run on. */

import type { Category } from '../endpoints/endpoint.ts';
import { AGENT_PORT } from '../workers/protocol.ts';
import type { TemplateSettings } from './template.ts';

/** What an endpoint says of where its workers run; what its stack, of an older version, does not say refuses nothing. */
export interface Place {
  /** What its machines compute on. */
  readonly category?: Category | undefined;
  /** The most that one worker's part of a machine's disk can be. */
  readonly largestDiskInGb?: number | undefined;
}

type Field = 'isServerless' | 'category' | 'containerDiskInGb' | 'ports';

/** A field that the capacity does not support, and what completes the sentence "`field` …". */
export type CapacityRefusal = readonly [field: Field, message: string];

/** The number of `8080/http`. */
export const portNumber = (port: string): number => Number(port.split('/')[0]);

/** Ports are the same on every kind of capacity: each worker has an address of its own, which it shares with the agent. */
export function* portRefusals(ports: readonly string[], agentPort = AGENT_PORT): Generator<CapacityRefusal> {
  if (ports.some((port) => portNumber(port) === agentPort))
    yield ['ports', `must not have ${agentPort}: the agent, which runs beside the container, listens there`];
}

/**
 * Volumes are not among them: a volume is a file system of the network, which every kind of capacity can mount.
 * @returns all that is refused, in the order of the fields
 */
export function* capacityRefusals(
  { isServerless, category, containerDiskInGb: disk, ports }: CapacitySettings,
  place: Place,
): Generator<CapacityRefusal> {
  if (!isServerless) yield ['isServerless', 'must be true: endpoints run workers, and Pods are not run here'];
  if (place.category !== undefined && category !== place.category)
    yield ['category', `must be ${place.category}, which is what the endpoint's workers run on, got ${category}`];
  if (place.largestDiskInGb !== undefined && disk > place.largestDiskInGb)
    yield [
      'containerDiskInGb',
      `must be at most ${place.largestDiskInGb}, which is a worker's disk on the endpoint's capacity, got ${disk}`,
    ];
  yield* portRefusals(ports);
}

export type CapacitySettings = Pick<TemplateSettings, Field>;

/** The refusals as one sentence; nothing if there are none. */
export function refusalSentence(refusals: Iterable<CapacityRefusal>): string | undefined {
  const clauses = [...refusals].map(([field, message]) => `\`${field}\` ${message}`);
  return clauses.length === 0 ? undefined : `${clauses.join('; ')}.`;
}
