/** Compares the documentation page of the contract with the tests. */
import { idsIn, needsBrowser, type Proof, type Row } from '../../bin/verify/page.ts';

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

const ID = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+$/;

export const coverageOf = (rows: readonly Row[], titles: readonly Title[]): Covered[] =>
  rows.map((row) => ({ ...row, tests: titles.filter(({ title }) => idsIn(title).includes(row.id)) }));

function problemsOfRow(row: Covered, exists: (proof: Proof) => boolean): string[] {
  const { id, tests, proofs } = row;
  const missing = proofs.filter((proof) => !exists(proof));
  const isForBrowser = needsBrowser(row);
  const place = isForBrowser ? 'in the browser, in packages/console/test/' : 'over HTTP, in bin/verify/rows/';
  const isTested = tests.some(({ isInBrowser }) => isInBrowser === isForBrowser);
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
