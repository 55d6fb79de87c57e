/** Computes the rows of a JSON tree: which brackets are open, and where each row is in the text. */
import { type Children, kindAt, packed, scan } from './scan.ts';

/**
 * Maximum number of children in a list. Longer lists show ranges, because browsers limit the height that can
 * scroll.
 */
export const RANGE = 10_000;

export interface Branch {
  readonly children: Children;
  /** Number of the first child that the branch shows. */
  readonly from: number;
  readonly count: number;
  /** Whether its rows are ranges of children. */
  readonly hasRanges: boolean;
  /** Open branches, by the number of their row in this branch, in order. */
  readonly open: ReadonlyMap<number, Branch>;
  /** Number of all rows, including those of open branches. */
  readonly rows: number;
}

/** Path from the outermost branch to a row: the number of the row in each branch. */
export type Path = readonly number[];

interface Place {
  readonly path: Path;
  readonly isOpen: boolean;
  /** Number of rows in the same branch. */
  readonly siblings: number;
}

export interface RangeRow extends Place {
  readonly kind: 'range';
  /** Numbers of the first and the last child. */
  readonly first: number;
  readonly last: number;
}

export interface ValueRow extends Place {
  readonly kind: 'value';
  /** Number of the child in its brackets. */
  readonly number: number;
  /** Offset of the name; absent for an element of an array. */
  readonly name?: number;
  readonly start: number;
  readonly end: number;
  /** Number of children of the value. */
  readonly count: number;
}

export type Row = RangeRow | ValueRow;

const sizeOf = ({ count, hasRanges }: Pick<Branch, 'count' | 'hasRanges'>) =>
  hasRanges ? Math.ceil(count / RANGE) : count;

function withRows(branch: Omit<Branch, 'rows'>): Branch {
  const opened = [...branch.open.values()].reduce((sum, { rows }) => sum + rows, 0);
  return { ...branch, rows: sizeOf(branch) + opened };
}

/** Creates a branch with all children closed. */
export function branchOf(children: Children, from = 0, count = children.starts.length): Branch {
  const hasRanges = count > RANGE;
  return withRows({ children, from, count, hasRanges, open: new Map() });
}

function ownRow(branch: Branch, n: number, path: Path): Row {
  const { children, from, count, hasRanges, open } = branch;
  const place = { path, isOpen: open.has(n), siblings: sizeOf(branch) };
  if (hasRanges) {
    const first = from + n * RANGE;
    return { ...place, kind: 'range', first, last: Math.min(first + RANGE, from + count) - 1 };
  }
  const number = from + n;
  const name = children.names[number];
  return {
    ...place,
    kind: 'value',
    number,
    ...(name !== undefined && { name }),
    start: children.starts[number] ?? 0,
    end: children.ends[number] ?? 0,
    count: children.counts[number] ?? 0,
  };
}

/** @param n from 0, less than `branch.rows` */
export function rowAt(branch: Branch, n: number, path: Path = []): Row {
  let before = 0;
  for (const [child, inner] of branch.open) {
    const at = child + before;
    if (n <= at) break;
    if (n <= at + inner.rows) return rowAt(inner, n - at - 1, [...path, child]);
    before += inner.rows;
  }
  return ownRow(branch, n - before, [...path, n - before]);
}

/** Returns the number of the row at the path. All branches of the path must be open. */
export function rowOf(branch: Branch, [child = 0, ...rest]: Path): number {
  const before = [...branch.open].filter(([at]) => at < child).reduce((sum, [, { rows }]) => sum + rows, 0);
  const inner = branch.open.get(child);
  return child + before + (rest.length > 0 && inner ? 1 + rowOf(inner, rest) : 0);
}

/** Returns a copy of the branch with `inner` at the path. Without `inner`, the row at the path is closed. */
export function withBranch(branch: Branch, [child = 0, ...rest]: Path, inner: Branch | undefined): Branch {
  const open = new Map(branch.open);
  const present = open.get(child);
  if (rest.length > 0) {
    if (present) open.set(child, withBranch(present, rest, inner));
  } else if (inner) open.set(child, inner);
  else open.delete(child);
  return withRows({ ...branch, open: new Map([...open].sort(([one], [other]) => one - other)) });
}

/** Returns the branch that a range opens; undefined for a value, because its children must be scanned first. */
export function rangeBranch(branch: Branch, row: Row): Branch | undefined {
  if (row.kind === 'value') return undefined;
  return branchOf(branchAt(branch, row.path.slice(0, -1)).children, row.first, row.last - row.first + 1);
}

function branchAt(branch: Branch, [child, ...rest]: Path): Branch {
  const inner = child === undefined ? undefined : branch.open.get(child);
  return inner ? branchAt(inner, rest) : branch;
}

/** @returns whether the row can be opened */
export const canOpen = (row: Row): boolean => row.kind === 'range' || row.count > 0;

/**
 * Returns the number of the child whose name or value contains the offset; undefined if the offset is between
 * children.
 */
function childAt({ names, starts, ends }: Children, offset: number): number | undefined {
  let low = 0;
  let high = starts.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (offset < (names[middle] ?? starts[middle] ?? 0)) high = middle - 1;
    else if (offset >= (ends[middle] ?? 0)) low = middle + 1;
    else return middle;
  }
  return undefined;
}

/** Reads the children of a value. The function can pause, and fails if it is cancelled. */
export type ReadChildren = (start: number) => Promise<Children>;

/** Opens all brackets around the offset. Returns the tree and the path of the row at the offset. */
export async function revealed(
  text: string,
  tree: Branch,
  offset: number,
  read: ReadChildren,
): Promise<{ readonly tree: Branch; readonly path: Path }> {
  let whole = tree;
  let path: Path = [];
  let inner = tree;
  for (;;) {
    const number = childAt(inner.children, offset);
    if (number === undefined) return { tree: whole, path };
    if (inner.hasRanges) {
      const range = Math.floor((number - inner.from) / RANGE);
      path = [...path, range];
      const opened =
        inner.open.get(range) ??
        branchOf(inner.children, inner.from + range * RANGE, Math.min(RANGE, inner.count - range * RANGE));
      whole = withBranch(whole, path, opened);
      inner = opened;
    }
    const child = number - inner.from;
    path = [...path, child];
    const start = inner.children.starts[number] ?? 0;
    const isInValue = offset >= start && (inner.children.counts[number] ?? 0) > 0;
    if (!isInValue || !['object', 'array'].includes(kindAt(text, start))) return { tree: whole, path };
    const opened = inner.open.get(child) ?? branchOf(await read(start));
    whole = withBranch(whole, path, opened);
    inner = opened;
  }
}

/** Maximum length of an object or array that opens automatically, because scanning a longer one takes time. */
const QUICK = 200_000;

/** Opens brackets from the outermost inward while the tree has at most `maxRows` rows. */
export function expanded(text: string, tree: Branch, maxRows: number): Branch {
  let grown = tree;
  for (let n = 0; n < grown.rows && n < maxRows; n += 1) {
    const row = rowAt(grown, n);
    if (row.kind === 'range' || row.isOpen || row.count === 0) continue;
    if (grown.rows + row.count > maxRows || row.end - row.start > QUICK) continue;
    grown = withBranch(grown, row.path, branchOf(packed(scan(text, row.start))));
  }
  return grown;
}

/**
 * Reads the tree of a text, or takes a tree that was read before, and opens brackets as `expanded`.
 * @throws JsonSyntaxError if the text is not one JSON value
 */
export const treeOf = (text: string, { tree, maxRows }: { readonly tree?: Branch; readonly maxRows: number }): Branch =>
  expanded(text, tree ?? branchOf(packed(scan(text, 0, { whole: true }))), maxRows);

/** Characters of a name that a page shows. */
const MAX_NAME_LENGTH = 1000;

/** Returns a name with its quotes, or its beginning if it is long. */
export function nameIn(text: string, { name, start }: { readonly name: number; readonly start: number }): string {
  const part = text.slice(name, Math.min(start, name + MAX_NAME_LENGTH));
  return /^"[^"\\]*(?:\\.[^"\\]*)*"/.exec(part)?.[0] ?? `${part}…`;
}

/** Returns the path of a row in dot notation, such as `images[0].url`. */
export function pathText(text: string, tree: Branch, path: Path): string {
  let written = '';
  for (let length = 1; length <= path.length; length += 1) {
    const row = ownRow(branchAt(tree, path.slice(0, length - 1)), path[length - 1] ?? 0, path.slice(0, length));
    if (row.kind === 'range') continue;
    if (row.name === undefined) written += `[${row.number}]`;
    else {
      const source = nameIn(text, { name: row.name, start: row.start });
      const isPlain = /^"[A-Za-z_$][\w$]*"$/.test(source);
      written += isPlain ? `${written && '.'}${source.slice(1, -1)}` : `[${source}]`;
    }
  }
  return written;
}
