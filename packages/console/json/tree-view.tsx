/**
 * Shows the rows of a tree, accessible by keyboard and screen reader. Only the rows in view are in the document.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { TreeRow } from './row.tsx';
import { type Branch, canOpen, type Row, rowAt, rowOf } from './tree.ts';

interface Props {
  readonly text: string;
  readonly tree: Branch;
  readonly label: string;
  readonly query: string;
  readonly active: number;
  /** Changes when the active row must be scrolled into view. */
  readonly shown: number;
  readonly onSelect: (row: number) => void;
  readonly onToggle: (row: Row) => void;
}

const ROW = 22;
const PAGE = 20;

/** Returns the row that a key moves to; undefined for keys that do not move. */
function rowAfter(key: string, tree: Branch, active: number): number | undefined {
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE };
  if (key === 'Home') return 0;
  if (key === 'End') return tree.rows - 1;
  const step = steps[key];
  return step === undefined ? undefined : Math.max(0, Math.min(tree.rows - 1, active + step));
}

export function TreeView({ text, tree, label, query, active, shown, onSelect, onToggle }: Props) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: tree.rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 8,
  });

  useEffect(() => {
    virtualizer.scrollToIndex(active);
  }, [active, shown, virtualizer]);

  function handleKey(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const row = rowAt(tree, active);
    const next = rowAfter(event.key, tree, active);
    if (next !== undefined) onSelect(next);
    else if (event.key === 'ArrowRight' && row.isOpen) onSelect(active + 1);
    else if (event.key === 'ArrowLeft' && !row.isOpen && row.path.length > 1)
      onSelect(rowOf(tree, row.path.slice(0, -1)));
    else if (
      ['Enter', ' '].includes(event.key) ||
      (event.key === 'ArrowRight' && canOpen(row)) ||
      (event.key === 'ArrowLeft' && row.isOpen)
    )
      onToggle(row);
    else return;
    event.preventDefault();
  }

  const rowId = (n: number) => `${id}-${n}`;
  const items = virtualizer.getVirtualItems();
  return (
    <div
      ref={scroller}
      className="json-scroll"
      role="tree"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={items.some(({ index }) => index === active) ? rowId(active) : undefined}
      onKeyDown={handleKey}
    >
      <div className="json-rows" role="none" style={{ blockSize: virtualizer.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = rowAt(tree, index);
          return (
            <TreeRow
              key={index}
              id={rowId(index)}
              text={text}
              row={row}
              query={query}
              isActive={index === active}
              top={start}
              onSelect={() => onSelect(index)}
              onToggle={() => onToggle(row)}
            />
          );
        })}
      </div>
    </div>
  );
}
