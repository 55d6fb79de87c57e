/** Moves the focus to the heading of a new page, so that a screen reader starts there. */
import { useEffect, useRef } from 'react';

/** Id of the element that contains the page. */
export const CONTENT = 'content';

/** Id of the search field. */
export const SEARCH = 'search';

/** Milliseconds to wait for the heading of a page. */
const PATIENCE = 5000;

/** @returns the heading of the page; undefined until it is rendered */
const headingOf = (content: HTMLElement) => content.querySelector<HTMLElement>('h1') ?? undefined;

export function focusOn(element: HTMLElement): void {
  // Only scripts can move the focus to a heading; the Tab key skips it.
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** @param path of the page; for the first page, the browser sets the focus */
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
      // If the user has moved the focus in the meantime, the focus does not change.
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
