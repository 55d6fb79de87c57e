/** The fields of a template that an endpoint's capacity does not support. */

import type { Category } from '../endpoints/endpoint.ts';
import { AGENT_PORT } from '../workers/protocol.ts';
import type { TemplateSettings } from './template.ts';

/** The capacity that an endpoint's workers run on. A field that an older stack leaves out refuses nothing. */
export interface Place {
  /** The processors of its machines. */
  readonly category?: Category | undefined;
  /** The most that one worker's part of a machine's disk can be. */
  readonly largestDiskInGb?: number | undefined;
}

type Field = 'isServerless' | 'category' | 'containerDiskInGb' | 'ports';

/** A field that the capacity does not support, and the end of the sentence "`field` …". */
export type CapacityRefusal = readonly [field: Field, message: string];

/** Returns the port number of `8080/http`. */
export const portNumber = (port: string): number => Number(port.split('/')[0]);

/**
 * Refuses the agent's port. Ports are the same on every kind of capacity: each worker has an address of its own, which
 * it shares with the agent.
 */
export function* portRefusals(ports: readonly string[], agentPort = AGENT_PORT): Generator<CapacityRefusal> {
  if (ports.some((port) => portNumber(port) === agentPort))
    yield ['ports', `must not have ${agentPort}: the agent, which runs beside the container, listens there`];
}

/**
 * Yields each field that the capacity does not support, in the order of the fields. It never refuses a volume: that is
 * a file system of the network, and every kind of capacity can mount it.
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

/** Returns the refusals as one sentence, or undefined if there are none. */
export function refusalSentence(refusals: Iterable<CapacityRefusal>): string | undefined {
  const clauses = [...refusals].map(([field, message]) => `\`${field}\` ${message}`);
  return clauses.length === 0 ? undefined : `${clauses.join('; ')}.`;
}
