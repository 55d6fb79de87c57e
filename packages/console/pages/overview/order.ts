/** Keeps the order of rows while the pointer or the focus is on them. */
import { type PointerEvent, useRef, useState } from 'react';
import { inPlace } from './trouble.ts';

interface Held {
  readonly onPointerEnter: (event: PointerEvent) => void;
  readonly onPointerLeave: () => void;
  readonly onFocus: () => void;
  readonly onBlur: () => void;
}

/**
 * @param sorted rows in their new order
 * @returns the rows in the order to show, and event handlers for the element around them
 */
export function useSteadyOrder<Row extends { readonly id: string }>(sorted: readonly Row[]): readonly [Row[], Held] {
  const [holders, setHolders] = useState({ pointer: false, focus: false });
  const shown = useRef<readonly string[]>([]);
  const rows = holders.pointer || holders.focus ? inPlace(sorted, shown.current) : [...sorted];
  shown.current = rows.map(({ id }) => id);
  const held: Held = {
    // A finger that scrolls does not point at a row.
    onPointerEnter: ({ pointerType }) => setHolders((now) => ({ ...now, pointer: pointerType === 'mouse' })),
    onPointerLeave: () => setHolders((now) => ({ ...now, pointer: false })),
    onFocus: () => setHolders((now) => ({ ...now, focus: true })),
    onBlur: () => setHolders((now) => ({ ...now, focus: false })),
  };
  return [rows, held];
}
