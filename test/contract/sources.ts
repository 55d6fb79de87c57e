/** Lists the tests of this repository that prove rows of the contract page. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Proof, Title } from './check.ts';
import { titlesOf } from './titles.ts';

const files = () =>
  globSync(['bin/verify/rows/*.ts', 'test/contract/*.test.ts', 'test/contract/corpora/suite.ts']).sort();

const browserFiles = () => globSync('packages/console/test/**/*.long.ts').sort();

const titlesIn = (files: readonly string[], isInBrowser: boolean): Title[] =>
  files.flatMap((file) => titlesOf(file).map((title): Title => ({ file, title, isInBrowser })));

/** Returns all tests over HTTP, and the tests that use the console in a browser. */
export const contractTitles = (): Title[] => [...titlesIn(files(), false), ...titlesIn(browserFiles(), true)];

/** Returns the tests that prove the rest of a row. */
export function readProofs(): Proof[] {
  const byFile: Record<string, Record<string, string[]>> = parse(readFileSync('test/contract/proofs.yaml', 'utf8'));
  return Object.entries(byFile).flatMap(([file, titles]) =>
    Object.entries(titles).map(([title, ids]): Proof => ({ file, title, ids })),
  );
}

export const hasProof = ({ file, title }: Proof): boolean => existsSync(file) && titlesOf(file).includes(title);
