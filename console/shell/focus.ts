/** Moves the focus to the heading of a page that the user went to, so that a screen reader starts there. */
import { useEffect, useRef } from 'react';

/** Id of the element that has the page. */
export const CONTENT = 'content';

/** Id of the search field. */
export const SEARCH = 'search';

/** Milliseconds in which a page may show its heading. */
const PATIENCE = 5000;

/** @returns the heading of the page; undefined until it has one */
const headingOf = (content: HTMLElement) => content.querySelector<HTMLElement>('h1') ?? undefined;

export function focusOn(element: HTMLElement): void {
  // Headings take the focus from scripts alone; they are no stop of the Tab key.
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** @param path of the page; the first one is left to the browser */
export function useFocusOnNavigation(path: string): void {
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    const content = document.getElementById(CONTENT);
    if (!content) return;
    scrollTo(0, 0);
    const focused = document.activeElement;
    const tryIt = () => {
      const heading = headingOf(content);
      if (!heading) return false;
      // If the user has moved the focus meanwhile, it stays there.
      if (document.activeElement === focused || document.activeElement === document.body) focusOn(heading);
      return true;
    };
    if (tryIt()) return;
    const observer = new MutationObserver(() => tryIt() && observer.disconnect());
    observer.observe(content, { childList: true, subtree: true });
    const timer = setTimeout(() => observer.disconnect(), PATIENCE);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [path]);
}
