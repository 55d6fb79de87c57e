/** Compares the documentation page of the contract with the tests. */
import { idsIn, needsBrowser, type Row } from '../../bin/verify/page.ts';

export interface Title {
  readonly file: string;
  readonly title: string;
  /** Whether the test uses the console in a browser instead of sending requests. */
  readonly isInBrowser: boolean;
}

/** A test of the part of some rows that tests over HTTP cannot prove within a few seconds. */
export interface Proof {
  /** Path of the file, relative to the repository. */
  readonly file: string;
  /** Title in the source, including placeholders such as `%s`. */
  readonly title: string;
  /** The rows that it proves. */
  readonly ids: readonly string[];
}

export interface Covered extends Row {
  /** Tests that name the row. */
  readonly tests: readonly Title[];
}

const ID = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+$/;

export const coverageOf = (rows: readonly Row[], titles: readonly Title[]): Covered[] =>
  rows.map((row) => ({ ...row, tests: titles.filter(({ title }) => idsIn(title).includes(row.id)) }));

function problemsOfRow(row: Covered): string[] {
  const { id, tests } = row;
  const isForBrowser = needsBrowser(row);
  const place = isForBrowser ? 'in the browser, in packages/console/test/' : 'over HTTP, in bin/verify/rows/';
  const isTested = tests.some(({ isInBrowser }) => isInBrowser === isForBrowser);
  return [
    ...(ID.test(id) ? [] : [`${id} is not an id. Use words with dots between them, such as job.id`]),
    ...(isTested ? [] : [`${id} has no test ${place}: add one whose title begins with [${id}]`]),
  ];
}

function problemsOfProof({ file, title, ids }: Proof, known: ReadonlySet<string>): string[] {
  const unknown = ids.filter((id) => !known.has(id));
  return unknown.map((id) => `"${title}" of ${file} proves ${id}, which is not a row of the contract`);
}

/**
 * Returns one sentence for each mismatch between the page and the tests.
 * @param titles of the tests over HTTP and in the browser
 * @param proofs further tests
 * @param exists whether a test of that title exists
 */
export function problemsOf(
  rows: readonly Row[],
  titles: readonly Title[],
  proofs: readonly Proof[],
  exists: (proof: Proof) => boolean,
): string[] {
  const ids = new Set(rows.map(({ id }) => id));
  const missing = proofs.filter((proof) => !exists(proof));
  const twice = rows.map(({ id }) => id).filter((id, n, all) => all.indexOf(id) !== n);
  const strangers = titles.flatMap(({ file, title }) =>
    idsIn(title)
      .filter((id) => !ids.has(id))
      .map((id) => `${file} tests ${id}, which is not a row of the contract: "${title}"`),
  );
  return [
    ...twice.map((id) => `${id} is the id of two rows`),
    ...coverageOf(rows, titles).flatMap(problemsOfRow),
    ...proofs.flatMap((proof) => problemsOfProof(proof, ids)),
    ...missing.map(({ file, title }) => `${file} has no test with the title "${title}"`),
    ...strangers,
  ];
}
