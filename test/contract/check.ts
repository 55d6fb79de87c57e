/** Compares the page of the contract with the tests. */
import type { Proof, Row } from './page.ts';
import { idsIn } from './titles.ts';

export interface Title {
  readonly file: string;
  readonly title: string;
  /** Whether the test uses the console as a user does, instead of sending requests. */
  readonly isInBrowser: boolean;
}

export interface Covered extends Row {
  /** The tests that name it. */
  readonly tests: readonly Title[];
}

/** A row about the console needs a test of its pages, which no request shows. */
const CONSOLE = /\bconsole\b/i;

const ID = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+$/;

export const coverageOf = (rows: readonly Row[], titles: readonly Title[]): Covered[] =>
  rows.map((row) => ({ ...row, tests: titles.filter(({ title }) => idsIn(title).includes(row.id)) }));

function problemsOfRow({ id, text, tests, proofs }: Covered, exists: (proof: Proof) => boolean): string[] {
  const missing = proofs.filter((proof) => !exists(proof));
  const needsBrowser = CONSOLE.test(text);
  const isTested = tests.some(({ isInBrowser }) => isInBrowser === needsBrowser);
  return [
    ...(ID.test(id) ? [] : [`${id} is no id: words with dots between them, such as job.id`]),
    ...(isTested ? [] : [`${id} has no test ${needsBrowser ? 'in the browser' : 'over HTTP'}`]),
    ...missing.map(({ file, title }) => `${id} is proved by "${title}" of ${file}, where there is no such test`),
  ];
}

/**
 * Returns the faults of the page or the tests, one sentence each.
 * @param titles of the tests over HTTP and in the browser
 * @param exists whether a test of that title exists
 */
export function problemsOf(
  rows: readonly Row[],
  titles: readonly Title[],
  exists: (proof: Proof) => boolean,
): string[] {
  const ids = new Set(rows.map(({ id }) => id));
  const twice = rows.map(({ id }) => id).filter((id, n, all) => all.indexOf(id) !== n);
  const strangers = titles.flatMap(({ file, title }) =>
    idsIn(title)
      .filter((id) => !ids.has(id))
      .map((id) => `${file} tests ${id}, which is no row of the contract: "${title}"`),
  );
  return [
    ...twice.map((id) => `${id} is the id of two rows`),
    ...coverageOf(rows, titles).flatMap((row) => problemsOfRow(row, exists)),
    ...strangers,
  ];
}
