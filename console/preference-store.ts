/** Keeps the preferences in the local storage of the browser. All tabs of the console follow a change at once. */
import { useSyncExternalStore } from 'react';
import { type Preferences, parsePreferences } from './preferences.ts';

const KEY = 'gpu-endpoints.console';

const listeners = new Set<() => void>();

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // The browser refuses storage to this site.
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

/** @returns a function that ends the subscription */
export function onPreferences(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Changes some preferences. Without storage they last until the tab is closed. */
export function prefer(changes: Partial<Preferences>): void {
  const next = { ...present, ...changes };
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // The browser refuses storage to this site, or it is full.
  }
  become(next);
}

/** The preferences, for components. */
export const usePreferences = (): Preferences => useSyncExternalStore(onPreferences, preferences);
