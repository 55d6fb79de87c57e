/** Holds the state of a tree: the open rows, the active row and the reading of the text. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { read } from '../reading/read.ts';
import type { Children } from './scan.ts';
import { JsonSyntaxError } from './syntax-error.ts';
import {
  type Branch,
  branchOf,
  canOpen,
  type Path,
  type Row,
  rangeBranch,
  revealed,
  rowOf,
  withBranch,
} from './tree.ts';

/** Maximum number of rows that are open initially and after "Expand all". */
const AT_FIRST = 40;
const ALL = 5000;

/** Whether the text is being read, is a tree, is not JSON, or could not be read. */
export type Reading =
  | { readonly state: 'reading' }
  | { readonly state: 'tree'; readonly tree: Branch }
  | { readonly state: 'text' | 'failed'; readonly reason: string };

const reading: Reading = { state: 'reading' };

export interface Tree {
  readonly reading: Reading;
  /** Number of the active row. */
  readonly active: number;
  select(row: number): void;
  toggle(row: Row): void;
  expandAll(): void;
  collapseAll(): void;
  /** Opens the brackets around the offset, and makes its row the active one. */
  reveal(offset: number): void;
}

export function useTree(text: string): Tree {
  const [last, setRead] = useState<{ readonly of: string; readonly reading: Reading }>({ of: text, reading });
  const [active, setActive] = useState(0);
  const running = useRef(new AbortController());
  // A tree of an earlier text has wrong offsets.
  const current = last.of === text ? last.reading : reading;

  const show = useCallback((tree: Branch) => setRead({ of: text, reading: { state: 'tree', tree } }), [text]);

  useEffect(() => {
    const reader = new AbortController();
    const { signal } = reader;
    running.current = reader;
    setActive(0);
    read('tree', text, { maxRows: AT_FIRST }, signal).then(show, (error: unknown) => {
      if (signal.aborted) return;
      if (error instanceof JsonSyntaxError) setRead({ of: text, reading: { state: 'text', reason: error.message } });
      else setRead({ of: text, reading: { state: 'failed', reason: String(error) } });
    });
    return () => running.current.abort();
  }, [text, show]);

  /** Runs a change of the tree, and aborts the reading that an earlier click began. */
  function change(work: (tree: Branch, signal: AbortSignal) => Promise<void>): void {
    if (current.state !== 'tree') return;
    running.current.abort();
    const reader = new AbortController();
    const { signal } = reader;
    running.current = reader;
    work(current.tree, signal).catch((error: unknown) => {
      if (!signal.aborted) setRead({ of: text, reading: { state: 'failed', reason: String(error) } });
    });
  }

  const childrenAt = (start: number, signal: AbortSignal): Promise<Children> => read('children', text, start, signal);

  async function open(tree: Branch, path: Path, branch: Promise<Branch> | Branch): Promise<void> {
    show(withBranch(tree, path, await branch));
  }

  return {
    reading: current,
    active,
    select: setActive,
    toggle(row) {
      if (!canOpen(row)) return;
      change(async (tree, signal) => {
        if (row.isOpen) return show(withBranch(tree, row.path, undefined));
        const branch =
          rangeBranch(tree, row) ?? (row.kind === 'value' ? branchOf(await childrenAt(row.start, signal)) : tree);
        return open(tree, row.path, branch);
      });
    },
    expandAll: () => change(async (tree, signal) => show(await read('tree', text, { tree, maxRows: ALL }, signal))),
    collapseAll: () =>
      change(async (tree) => {
        setActive(0);
        show(branchOf(tree.children));
      }),
    reveal: (offset) =>
      change(async (tree, signal) => {
        const found = await revealed(text, tree, offset, (start) => childrenAt(start, signal));
        show(found.tree);
        if (found.path.length > 0) setActive(rowOf(found.tree, found.path));
      }),
  };
}
