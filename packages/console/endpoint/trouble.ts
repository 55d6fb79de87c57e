/** Sorts endpoints by urgency, for a person on call. */
import type { Endpoint } from '../api/management-types.ts';
import { type StateKind, stateOf } from './state.ts';

/** States that need attention, the most urgent first. */
const TROUBLES: readonly StateKind[] = ['condition', 'no-workers', 'rolled-back'];
/** States in order of urgency. States that are not listed have the same, lowest urgency. */
const FIRST: readonly StateKind[] = [...TROUBLES, 'starting'];

function rankOf(endpoint: Endpoint): number {
  const rank = FIRST.indexOf(stateOf(endpoint).kind);
  return rank === -1 ? FIRST.length : rank;
}

export const isInTrouble = (endpoint: Endpoint): boolean => TROUBLES.includes(stateOf(endpoint).kind);

const byName = (a: Endpoint, b: Endpoint) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/**
 * Sorts endpoints: conditions, jobs that wait without workers, releases that were rolled back, jobs whose workers
 * start, and all others. Endpoints of the same group are sorted by name.
 */
export const byTrouble = (endpoints: readonly Endpoint[]): Endpoint[] =>
  endpoints.toSorted((a, b) => rankOf(a) - rankOf(b) || byName(a, b));

/**
 * Keeps rows in place while the pointer is over them.
 * @param sorted rows in their new order
 * @param shown ids of the rows in the order that the page shows
 * @returns the shown rows in the order that the page shows, then the new rows
 */
export function inPlace<Row extends { readonly id: string }>(sorted: readonly Row[], shown: readonly string[]): Row[] {
  const places = new Map(shown.map((id, place) => [id, place]));
  const placeOf = ({ id }: Row) => places.get(id) ?? shown.length;
  return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
}
