/**
 * Stores the preferences in the browser's local storage. All open tabs of the console apply a change immediately.
 */
import { useSyncExternalStore } from 'react';
import { type Preferences, parsePreferences } from './preferences.ts';

const KEY = 'gpu-endpoints.console';

const listeners = new Set<() => void>();

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // The browser blocks storage for this site.
    return null;
  }
}

let present = parsePreferences(stored());

function become(next: Preferences): void {
  present = next;
  for (const listener of listeners) listener();
}

globalThis.addEventListener('storage', ({ key }) => {
  if (key === KEY || key === null) become(parsePreferences(stored()));
});

export const preferences = (): Preferences => present;

/** @returns a function that unsubscribes the listener */
export function onPreferences(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Changes some preferences. Without storage, they are lost when the tab is closed. */
export function prefer(changes: Partial<Preferences>): void {
  const next = { ...present, ...changes };
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // The browser blocks storage for this site, or the storage is full.
  }
  become(next);
}

/** Returns the preferences, and renders the component again when they change. */
export const usePreferences = (): Preferences => useSyncExternalStore(onPreferences, preferences);
