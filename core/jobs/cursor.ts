/** Where a list of an endpoint's jobs goes on. */
import { cursorOf as cursorOfList, positionIn as positionInList } from '../cursor.ts';
import type { QueryValue } from '../validation.ts';

const POSITION = /^0[0-9a-z]{35}$/;

/**
 * A cursor says no more than the id of a job of the endpoint, and is read within the endpoint of the path alone.
 * @param position order of the last job that was looked at (`orderOf`)
 */
export const cursorOf = (endpoint: string, position: string): string => cursorOfList(endpoint, position);

/** @throws InvalidRequest if it is no cursor of this endpoint */
export const positionIn = (endpoint: string, cursor: QueryValue): string => positionInList(endpoint, cursor, POSITION);
