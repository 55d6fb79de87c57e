/** Compares the documentation page of the contract with the tests. */
import type { Proof, Row } from './page.ts';
import { idsIn } from './titles.ts';

export interface Title {
  readonly file: string;
  readonly title: string;
  /** Whether the test uses the console in a browser instead of sending requests. */
  readonly isInBrowser: boolean;
}

export interface Covered extends Row {
  /** Tests that name the row. */
  readonly tests: readonly Title[];
}

/** Matches a row about the console. Such a row needs a test of the console's pages in a browser. */
const CONSOLE = /\bconsole\b/i;

const ID = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+$/;

export const coverageOf = (rows: readonly Row[], titles: readonly Title[]): Covered[] =>
  rows.map((row) => ({ ...row, tests: titles.filter(({ title }) => idsIn(title).includes(row.id)) }));

function problemsOfRow({ id, text, tests, proofs }: Covered, exists: (proof: Proof) => boolean): string[] {
  const missing = proofs.filter((proof) => !exists(proof));
  const needsBrowser = CONSOLE.test(text);
  const place = needsBrowser ? 'in the browser, in packages/console/test/' : 'over HTTP, in test/contract/rows/';
  const isTested = tests.some(({ isInBrowser }) => isInBrowser === needsBrowser);
  return [
    ...(ID.test(id) ? [] : [`${id} is not an id. Use words with dots between them, such as job.id`]),
    ...(isTested ? [] : [`${id} has no test ${place}: add one whose title begins with [${id}]`]),
    ...missing.map(({ file, title }) => `${id} is proved by "${title}" of ${file}, which has no such test`),
  ];
}

/**
 * Returns one sentence for each mismatch between the page and the tests.
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
      .map((id) => `${file} tests ${id}, which is not a row of the contract: "${title}"`),
  );
  return [
    ...twice.map((id) => `${id} is the id of two rows`),
    ...coverageOf(rows, titles).flatMap((row) => problemsOfRow(row, exists)),
    ...strangers,
  ];
}
