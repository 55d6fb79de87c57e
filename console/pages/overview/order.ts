/** The order of rows, which stays while the pointer or the focus is on them. */
import { type PointerEvent, useRef, useState } from 'react';
import { inPlace } from '../../endpoint/trouble.ts';

interface Held {
  readonly onPointerEnter: (event: PointerEvent) => void;
  readonly onPointerLeave: () => void;
  readonly onFocus: () => void;
  readonly onBlur: () => void;
}

/**
 * @param sorted in the order that the rows should have
 * @returns the rows in the order to show, and the event handlers of the element around them
 */
export function useSteadyOrder<Row extends { readonly id: string }>(sorted: readonly Row[]): readonly [Row[], Held] {
  const [holders, setHolders] = useState({ pointer: false, focus: false });
  const shown = useRef<readonly string[]>([]);
  const rows = holders.pointer || holders.focus ? inPlace(sorted, shown.current) : [...sorted];
  shown.current = rows.map(({ id }) => id);
  const held: Held = {
    // A finger that scrolls points at nothing.
    onPointerEnter: ({ pointerType }) => setHolders((now) => ({ ...now, pointer: pointerType === 'mouse' })),
    onPointerLeave: () => setHolders((now) => ({ ...now, pointer: false })),
    onFocus: () => setHolders((now) => ({ ...now, focus: true })),
    onBlur: () => setHolders((now) => ({ ...now, focus: false })),
  };
  return [rows, held];
}
