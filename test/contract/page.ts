/** Reads `docs/contract.md` as data: each row of its tables has an id. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const PAGE = 'docs/contract.md';

/** A test of the part of a row that cannot be shown over HTTP in a few seconds. */
export interface Proof {
  /** Below the repository. */
  readonly file: string;
  /** The title in the source, with `%s` and the like. */
  readonly title: string;
}

export interface Row {
  readonly id: string;
  readonly section: string;
  /** The statement, as Markdown. */
  readonly text: string;
  readonly proofs: readonly Proof[];
}

const ROW = /^\| `([^`]+)` +\| (.*?) *\|(?: (.*?) *\|)?$/;
const LINK = /\[([^\]]+)\]\(([^)]+)\)/g;

const proofsIn = (cell: string): Proof[] =>
  [...cell.matchAll(LINK)].map(([, title = '', to = '']) => ({ title, file: join(dirname(PAGE), to) }));

/** Returns the rows of a page, in its order. */
export function rowsOf(page: string): Row[] {
  const [, ...sections] = page.split(/^## /m);
  return sections.flatMap((lines) => {
    const [section = '', ...body] = lines.split('\n');
    return body.flatMap((line): Row[] => {
      const [, id, text = '', last = ''] = ROW.exec(line) ?? [];
      return id === undefined ? [] : [{ id, section, text, proofs: proofsIn(last) }];
    });
  });
}

export const readPage = (): string => readFileSync(PAGE, 'utf8');
