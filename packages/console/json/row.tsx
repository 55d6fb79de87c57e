/** Shows one row of the tree: a name and a value, or a range of elements. */
import type { ReactNode } from 'react';
import { bytes, count } from '../units.ts';
import { addressIn, preview } from './display.ts';
import { kindAt } from './scan.ts';
import { pieces } from './search.ts';
import { canOpen, nameIn, type Row, type ValueRow } from './tree.ts';

interface Props {
  readonly id: string;
  readonly text: string;
  readonly row: Row;
  readonly query: string;
  readonly isActive: boolean;
  /** Pixels. */
  readonly top: number;
  readonly onSelect: () => void;
  readonly onToggle: () => void;
}

/** Maximum number of characters of a value in a row. */
const SHOWN = 240;
const INDENT = 18;

function Marked({ children, query }: { readonly children: string; readonly query: string }) {
  return pieces(children, query).map((piece, n) => (n % 2 === 1 ? <mark key={n}>{piece}</mark> : piece));
}

const size = (row: ValueRow, isObject: boolean) =>
  `${count(row.count)} ${isObject ? 'member' : 'element'}${row.count === 1 ? '' : 's'}`;

function Value({ text, row, query }: Pick<Props, 'text' | 'query'> & { readonly row: ValueRow }): ReactNode {
  const { start, end } = row;
  const kind = kindAt(text, start);
  const shown = preview(text, start, end, SHOWN);
  if (kind === 'object' || kind === 'array') {
    return (
      <>
        <span className="json-faint">{size(row, kind === 'object')} </span>
        {!row.isOpen && (
          <span className="json-faint">
            <Marked query={query}>{shown}</Marked>
          </span>
        )}
      </>
    );
  }
  const address = kind === 'string' ? addressIn(text, start, end) : undefined;
  const marked = <Marked query={query}>{shown}</Marked>;
  return (
    <>
      <span className={`json-value json-${kind}`}>
        {address === undefined ? (
          marked
        ) : (
          <a href={address} target="_blank" rel="noreferrer noopener" tabIndex={-1}>
            {marked}
          </a>
        )}
      </span>
      {end - start > SHOWN && <span className="json-faint"> {bytes(end - start)}</span>}
    </>
  );
}

function Name({ text, row, query }: Pick<Props, 'text' | 'query'> & { readonly row: ValueRow }): ReactNode {
  if (row.name === undefined) return <span className="json-faint">{row.number}: </span>;
  const name = nameIn(text, { name: row.name, start: row.start });
  return (
    <>
      <span className="json-name">
        <Marked query={query}>{preview(name, 0, name.length, SHOWN)}</Marked>
      </span>
      {': '}
    </>
  );
}

export function TreeRow({ id, text, row, query, isActive, top, onSelect, onToggle }: Props) {
  const isBranch = canOpen(row);
  return (
    // The tree handles the keys: the row in focus is its active descendant.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    <div
      id={id}
      role="treeitem"
      className={`json-row${isActive ? ' json-row-active' : ''}`}
      aria-level={row.path.length}
      aria-setsize={row.siblings}
      aria-posinset={(row.path.at(-1) ?? 0) + 1}
      aria-selected={isActive}
      {...(isBranch && { 'aria-expanded': row.isOpen })}
      style={{ transform: `translateY(${top}px)`, paddingInlineStart: 6 + (row.path.length - 1) * INDENT }}
      onClick={() => {
        onSelect();
        if (isBranch) onToggle();
      }}
    >
      <span className="json-twist" aria-hidden>
        {isBranch && (row.isOpen ? '▾' : '▸')}
      </span>
      {row.kind === 'range' ? (
        <span className="json-faint">
          {count(row.first)} to {count(row.last)}
        </span>
      ) : (
        <>
          <Name text={text} row={row} query={query} />
          <Value text={text} row={row} query={query} />
        </>
      )}
    </div>
  );
}
