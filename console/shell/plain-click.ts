/** Which clicks on a link are the browser's own: those that open another tab or window, or save. */
import type { MouseEvent } from 'react';

export const goesElsewhere = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean =>
  button !== 0 || ctrlKey || metaKey || shiftKey || altKey;
