/** Sets the title of the browser tab to the name of the page. */
import { useEffect } from 'react';

export function useTitle(...parts: readonly string[]): void {
  const title = [...parts, 'gpu-endpoints'].join(' - ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
