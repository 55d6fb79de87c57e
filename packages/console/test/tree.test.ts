import { describe, expect, it } from '@jest/globals';
import { childrenOf, scan } from '../json/scan.ts';
import { find } from '../json/search.ts';
import { JsonSyntaxError } from '../json/syntax-error.ts';
import {
  type Branch,
  branchOf,
  expanded,
  pathText,
  RANGE,
  rangeBranch,
  revealed,
  rowAt,
  rowOf,
  treeOf,
  withBranch,
} from '../json/tree.ts';

const text = '{"a": [1, {"deep": "found"}], "b": {}, "c d": {"e": 2}}';
const closed = branchOf(childrenOf(text));

const read = (of: string) => async (start: number) => scan(of, start);

/** Returns the visible rows: their paths, with a mark if they are open. */
const seen = (of: string, tree: Branch) =>
  Array.from({ length: tree.rows }, (_, n) => {
    const row = rowAt(tree, n);
    return `${pathText(of, tree, row.path)}${row.isOpen ? ' -' : ''}`;
  });

describe('the tree of JSON', () => {
  it('shows the outermost members first', () => {
    expect(seen(text, closed)).toEqual(['a', 'b', '["c d"]']);
  });

  it('shows the children of an open row below it', () => {
    const all = expanded(text, closed, 100);
    expect(seen(text, all)).toEqual(['a -', 'a[0]', 'a[1] -', 'a[1].deep', 'b', '["c d"] -', '["c d"].e']);
  });

  it('is read from a text, with rows opened', () => {
    expect(seen(text, treeOf(text, { maxRows: 100 }))).toEqual(seen(text, expanded(text, closed, 100)));
    const open = treeOf(text, { maxRows: 3 });
    expect(seen(text, treeOf(text, { tree: open, maxRows: 5 }))).toHaveLength(5);
    expect(() => treeOf('{} x', { maxRows: 3 })).toThrow(JsonSyntaxError);
  });

  it('shows only the beginning of a long name', () => {
    const long = `{"${'n'.repeat(5_000)}": {"a": 1}}`;
    const tree = treeOf(long, { maxRows: 10 });
    expect(pathText(long, tree, rowAt(tree, 0).path).length).toBeLessThan(1_010);
    expect(pathText(long, tree, rowAt(tree, 1).path)).toMatch(/n…\]\.a$/);
  });

  it('opens at most the permitted number of rows', () => {
    expect(expanded(text, closed, 5).rows).toBe(5);
  });

  it('closes a row with all rows below it', () => {
    const all = expanded(text, closed, 100);
    expect(seen(text, withBranch(all, [0], undefined))).toEqual(['a', 'b', '["c d"] -', '["c d"].e']);
  });

  it('finds the number of the row at a path', () => {
    const all = expanded(text, closed, 100);
    for (let n = 0; n < all.rows; n += 1) expect(rowOf(all, rowAt(all, n).path)).toBe(n);
  });

  it('opens the rows around a match', async () => {
    const { tree, path } = await revealed(text, closed, find(text, 'FOUND').at[0] ?? 0, read(text));
    expect(pathText(text, tree, path)).toBe('a[1].deep');
    expect(seen(text, tree)).toEqual(['a -', 'a[0]', 'a[1] -', 'a[1].deep', 'b', '["c d"]']);
  });

  it('shows the member whose name contains a match', async () => {
    const { tree, path } = await revealed(text, closed, text.indexOf('c d'), read(text));
    expect(pathText(text, tree, path)).toBe('["c d"]');
    expect(tree.rows).toBe(closed.rows);
  });

  it('groups the elements of a long list into ranges', async () => {
    const long = `[${Array.from({ length: 2 * RANGE + 5 }, (_, n) => n).join()}]`;
    const tree = branchOf(childrenOf(long));
    expect(tree.rows).toBe(3);
    const last = rowAt(tree, 2);
    expect(last).toMatchObject({ kind: 'range', first: 20_000, last: 20_004 });
    const opened = withBranch(tree, [2], rangeBranch(tree, last));
    expect(opened.rows).toBe(8);
    expect(pathText(long, opened, rowAt(opened, 7).path)).toBe('[20004]');
    const match = await revealed(long, tree, long.indexOf('12345'), read(long));
    expect(pathText(long, match.tree, match.path)).toBe('[12345]');
    expect(rowAt(match.tree, rowOf(match.tree, match.path))).toMatchObject({ number: 12_345 });
  });
});

describe('the search', () => {
  it('takes every character of the searched text literally', () => {
    expect(find('a.b [x] A.B axb', 'a.b').at).toEqual([0, 8]);
    expect(find('[x', '[x').at).toEqual([0]);
  });

  it('stops after 10,000 matches, and reports that there are more', () => {
    const { at, more } = find('x'.repeat(10_001), 'x');
    expect([at.length, more]).toEqual([10_000, true]);
  });
});
