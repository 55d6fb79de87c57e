/** The order of endpoints in which a person on call reads them. */
import type { Endpoint } from '../api/management-types.ts';
import { type StateKind, stateOf } from './state.ts';

/** States that need attention, the most urgent first. */
const TROUBLES: readonly StateKind[] = ['condition', 'no-workers', 'rolled-back'];
/** Those come first, then endpoints whose first workers start; the rest are equal. */
const FIRST: readonly StateKind[] = [...TROUBLES, 'starting'];

function rankOf(endpoint: Endpoint): number {
  const rank = FIRST.indexOf(stateOf(endpoint).kind);
  return rank === -1 ? FIRST.length : rank;
}

export const isInTrouble = (endpoint: Endpoint): boolean => TROUBLES.includes(stateOf(endpoint).kind);

const byName = (a: Endpoint, b: Endpoint) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/**
 * Conditions, jobs that wait without workers, releases that were rolled back, jobs whose workers start, the rest; each
 * by name.
 */
export const byTrouble = (endpoints: readonly Endpoint[]): Endpoint[] =>
  endpoints.toSorted((a, b) => rankOf(a) - rankOf(b) || byName(a, b));

/**
 * Keeps rows where they are while the pointer is over them.
 * @param sorted in the order that they would have
 * @param shown ids in the order that the page has now
 * @returns those that are shown in their order, then new ones
 */
export function inPlace<Row extends { readonly id: string }>(sorted: readonly Row[], shown: readonly string[]): Row[] {
  const places = new Map(shown.map((id, place) => [id, place]));
  const placeOf = ({ id }: Row) => places.get(id) ?? shown.length;
  return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
}
