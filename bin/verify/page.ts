/** Reads `docs/reference/contract.md` as data. Each row of its tables has an id. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../lib/settings/package-files.ts';

export const PAGE = 'docs/reference/contract.md';

export interface Row {
  readonly id: string;
  readonly section: string;
  /** The statement of the row, as Markdown. */
  readonly text: string;
}

const ID = /^`([^`]+)`$/;

/** Returns the rows of a page in their order. */
export function rowsOf(page: string): Row[] {
  const [, ...sections] = page.split(/^## /m);
  return sections.flatMap((lines) => {
    const [section = '', ...body] = lines.split('\n');
    return body.flatMap((line): Row[] => {
      const [, first = '', text = ''] = line.split('|').map((cell) => cell.trim());
      const [, id] = ID.exec(first) ?? [];
      return id === undefined ? [] : [{ id, section, text }];
    });
  });
}

export const readPage = (): string => readFileSync(join(packageFolder, PAGE), 'utf8');

/** Whether a row is about the console. Such a row needs a test of the console's pages in a browser. */
export const needsBrowser = ({ text }: Row): boolean => /\bconsole\b/i.test(text);

/** Returns the ids that a title names: `[job.id][job.status] is in every answer` names two. */
export function idsIn(title: string): string[] {
  const [named = ''] = /^(?:\[[^\]]+\])+/.exec(title) ?? [];
  return named.slice(1, -1).split('][').filter(Boolean);
}
