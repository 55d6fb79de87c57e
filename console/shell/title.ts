/** The title of the tab, which says what the page is about. */
import { useEffect } from 'react';

export function useTitle(...parts: readonly string[]): void {
  const title = [...parts, 'gpu-endpoints'].join(' - ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
