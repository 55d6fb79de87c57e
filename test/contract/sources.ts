/** The tests of this repository that the page of the contract speaks of. */
import { existsSync, globSync } from 'node:fs';
import type { Title } from './check.ts';
import type { Proof } from './page.ts';
import { titlesOf } from './titles.ts';

const files = () =>
  globSync([
    'test/contract/rows/*.ts',
    'test/contract/*.test.ts',
    'test/contract/corpora/suite.ts',
    'test/acceptance/contract.test.ts',
  ]).sort();

/** All tests that ask over HTTP, and no others. */
export const contractTitles = (): Title[] =>
  files().flatMap((file) => titlesOf(file).map((title): Title => ({ file, title })));

export const isThere = ({ file, title }: Proof): boolean => existsSync(file) && titlesOf(file).includes(title);
