/** Holds the state of a tree: the open rows, the active row and the reading of the text. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { type Children, JsonSyntaxError } from './scan.ts';
import { readChildren } from './slices.ts';
import {
  type Branch,
  branchOf,
  canOpen,
  expanded,
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

/** Whether the text is being read, is a tree, or is not JSON. */
export type Reading =
  | { readonly state: 'reading' }
  | { readonly state: 'tree'; readonly tree: Branch }
  | { readonly state: 'text'; readonly reason: string };

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
  const [read, setRead] = useState<{ readonly of: string; readonly reading: Reading }>({ of: text, reading });
  const [active, setActive] = useState(0);
  const running = useRef(new AbortController());
  // A tree of an earlier text has wrong offsets.
  const current = read.of === text ? read.reading : reading;

  const show = useCallback((tree: Branch) => setRead({ of: text, reading: { state: 'tree', tree } }), [text]);

  useEffect(() => {
    const reader = new AbortController();
    const { signal } = reader;
    running.current = reader;
    setActive(0);
    readChildren(text, 0, { signal, whole: true }).then(
      (children) => show(expanded(text, branchOf(children), AT_FIRST)),
      (error: unknown) => {
        if (signal.aborted) return;
        if (!(error instanceof JsonSyntaxError)) throw error;
        setRead({ of: text, reading: { state: 'text', reason: error.message } });
      },
    );
    return () => running.current.abort();
  }, [text, show]);

  /** Runs a change of the tree, and aborts the reading that an earlier click began. */
  function change(work: (tree: Branch, read: (start: number) => Promise<Children>) => Promise<void>): void {
    if (current.state !== 'tree') return;
    running.current.abort();
    const reader = new AbortController();
    const { signal } = reader;
    running.current = reader;
    work(current.tree, (start) => readChildren(text, start, { signal })).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  async function open(tree: Branch, path: Path, branch: Promise<Branch> | Branch): Promise<void> {
    show(withBranch(tree, path, await branch));
  }

  return {
    reading: current,
    active,
    select: setActive,
    toggle(row) {
      if (!canOpen(row)) return;
      change(async (tree, read) => {
        if (row.isOpen) return show(withBranch(tree, row.path, undefined));
        const branch = rangeBranch(tree, row) ?? (row.kind === 'value' ? read(row.start).then(branchOf) : tree);
        return open(tree, row.path, branch);
      });
    },
    expandAll: () => change(async (tree) => show(expanded(text, tree, ALL))),
    collapseAll: () =>
      change(async (tree) => {
        setActive(0);
        show(branchOf(tree.children));
      }),
    reveal: (offset) =>
      change(async (tree, read) => {
        const found = await revealed(text, tree, offset, read);
        show(found.tree);
        if (found.path.length > 0) setActive(rowOf(found.tree, found.path));
      }),
  };
}
