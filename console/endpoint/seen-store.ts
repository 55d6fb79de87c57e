/** The history of all endpoints since the tab was loaded. A reload forgets it. */
import type { EndpointList } from '../api/management-types.ts';
import { type Sample, sampleOf, withSample } from './seen.ts';

const histories = new Map<string, readonly Sample[]>();

/** @param at when the list was read, in milliseconds since the epoch */
export function record({ endpoints }: EndpointList, at: number): void {
  for (const endpoint of endpoints) histories.set(endpoint.id, withSample(seenOf(endpoint.id), sampleOf(endpoint, at)));
}

export const seenOf = (endpoint: string): readonly Sample[] => histories.get(endpoint) ?? [];
