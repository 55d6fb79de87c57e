/**
 * Defines the keyboard shortcuts. Keys typed into a field, or pressed with Ctrl, Alt or Meta, are never shortcuts.
 */

export type Shortcut =
  | 'search'
  | 'help'
  | 'next'
  | 'previous'
  | 'overview'
  | 'jobs'
  | 'costs'
  | 'templates'
  | 'keys'
  | 'settings';

/** The shortcuts for the help dialog. */
export const shortcutKeys: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ['/'], does: 'Find an endpoint, a job, an error, a worker or a key' },
  { keys: ['g', 'e'], does: 'Go to the endpoints' },
  { keys: ['g', 'j'], does: 'Go to the jobs' },
  { keys: ['g', 'c'], does: 'Go to the costs' },
  { keys: ['g', 't'], does: 'Go to the templates' },
  { keys: ['g', 'k'], does: 'Go to the API keys' },
  { keys: ['g', 's'], does: 'Go to the settings' },
  { keys: ['j'], does: 'Next row of a table' },
  { keys: ['k'], does: 'Previous row of a table' },
  { keys: ['Enter'], does: 'Open the row' },
  { keys: ['?'], does: 'Show these shortcuts' },
];

const alone: Readonly<Record<string, Shortcut>> = { '/': 'search', '?': 'help', j: 'next', k: 'previous' };
const afterG: Readonly<Record<string, Shortcut>> = {
  e: 'overview',
  j: 'jobs',
  c: 'costs',
  t: 'templates',
  k: 'keys',
  s: 'settings',
};

/** Milliseconds to wait for a letter after `g`. */
const PATIENCE = 1500;

export interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  /** Whether the focus is in an input field. */
  readonly inField: boolean;
  /** Milliseconds. */
  readonly at: number;
}

/** @returns a function that takes each key press and returns the shortcut that it completes */
export function createShortcuts(): (press: Press) => Shortcut | undefined {
  let pressedG = Number.NEGATIVE_INFINITY;
  return ({ key, ctrlKey, altKey, metaKey, inField, at }) => {
    if (ctrlKey || altKey || metaKey || inField) return;
    const followsG = at - pressedG <= PATIENCE;
    pressedG = key === 'g' ? at : Number.NEGATIVE_INFINITY;
    return followsG ? afterG[key] : alone[key];
  };
}
