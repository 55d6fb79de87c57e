/** Listens for shortcuts on all pages. */
import { useEffect, useState } from 'react';
import { preferences } from '../preference-store.ts';
import { CONTENT, SEARCH } from './focus.ts';
import { jobsPath, paths } from './paths.ts';
import { createShortcuts, type Shortcut } from './shortcuts.ts';

const FIELDS = 'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="textbox"]';

/**
 * @returns whether the key was typed into a field; also detects editors in a shadow root, although the target of the
 * event is then the host of the shadow root
 */
function isField(event: KeyboardEvent): boolean {
  const [inner] = event.composedPath();
  if (!(inner instanceof HTMLElement)) return false;
  // A checkbox does not accept text.
  return inner.matches(FIELDS) && !inner.matches('input[type="checkbox"], input[type="radio"]');
}

/** Returns the first link of each table row on the page. */
const rowLinks = () =>
  [...document.querySelectorAll<HTMLTableRowElement>(`#${CONTENT} tbody tr`)].flatMap(
    (row) => row.querySelector<HTMLElement>('a[href]') ?? [],
  );

function moveInRows(step: 1 | -1): void {
  const links = rowLinks();
  const row = document.activeElement?.closest('tr');
  const at = links.findIndex((link) => row?.contains(link));
  const link = at === -1 ? links.at(step === 1 ? 0 : -1) : links[Math.min(links.length - 1, Math.max(0, at + step))];
  link?.focus();
  link?.scrollIntoView({ block: 'nearest' });
}

const isDialogOpen = () => document.querySelector('[role="dialog"][aria-modal="true"]') !== null;

/** @returns whether the help is shown, and a function that closes it */
export function useShortcuts(navigate: (path: string) => void): readonly [boolean, () => void] {
  const [isHelpOpen, setHelpOpen] = useState(false);
  useEffect(() => {
    const shortcutOf = createShortcuts();
    const actions: Readonly<Record<Shortcut, () => void>> = {
      search: () => document.getElementById(SEARCH)?.focus(),
      help: () => setHelpOpen(true),
      next: () => moveInRows(1),
      previous: () => moveInRows(-1),
      overview: () => navigate(paths.overview()),
      jobs: () => navigate(jobsPath()),
      costs: () => navigate(paths.costs()),
      templates: () => navigate(paths.templates()),
      keys: () => navigate(paths.keys()),
      settings: () => navigate(paths.settings()),
    };
    function press(event: KeyboardEvent) {
      if (!preferences().shortcuts || event.defaultPrevented || isDialogOpen()) return;
      const { key, ctrlKey, altKey, metaKey } = event;
      const shortcut = shortcutOf({ key, ctrlKey, altKey, metaKey, inField: isField(event), at: event.timeStamp });
      if (!shortcut) return;
      event.preventDefault();
      actions[shortcut]();
    }
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [navigate]);
  return [isHelpOpen, () => setHelpOpen(false)];
}
