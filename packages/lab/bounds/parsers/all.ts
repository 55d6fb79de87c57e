/** The parsers by place. Each list is imported only where it is needed, because imports need memory. */
import type { Parser, Place } from './parser.ts';

const lists: Readonly<Record<Place, () => Promise<readonly Parser[]>>> = {
  ingress: async () => (await import('./ingress.ts')).parsers,
  agent: async () => (await import('./agent.ts')).parsers,
  function: async () => (await import('./functions.ts')).parsers,
  console: async () => (await import('./console.ts')).parsers,
};

export const places = Object.keys(lists) as readonly Place[];

export const parsersOf = (place: Place): Promise<readonly Parser[]> => lists[place]();
