/** Stores whether the page is offline and whether its session has expired. In both cases, all polling stops. */
import { useSyncExternalStore } from 'react';

export interface Connection {
  /** Whether a request failed while the browser reported that it was offline. */
  readonly isOffline: boolean;
  /** Whether the session has expired, so that the user must sign in again. */
  readonly isExpired: boolean;
}

let present: Connection = { isOffline: false, isExpired: false };
const listeners = new Set<() => void>();

export const connection = (): Connection => present;

export function setConnection(changes: Partial<Connection>): void {
  const next = { ...present, ...changes };
  if (next.isOffline === present.isOffline && next.isExpired === present.isExpired) return;
  present = next;
  for (const listener of listeners) listener();
}

/** @returns a function that unsubscribes the listener */
function onConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const useConnection = (): Connection => useSyncExternalStore(onConnection, connection);
