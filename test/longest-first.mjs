/**
 * The order of test files on a machine that has not run them yet: those that wait for a whole service first, or one of
 * them would begin last and run alone. Where jest remembers how long each took, it does the same by itself.
 */
import TestSequencer from '@jest/test-sequencer';

const LONG = [
  'acceptance/permissions',
  'proof/model',
  'acceptance/kill-matrix',
  'bench/ledger.',
  'contract/contract',
  'acceptance/',
  'contract/corpora',
];

/** @param {string} path */
const rankOf = (path) => {
  const rank = LONG.findIndex((part) => path.includes(part));
  return rank === -1 ? LONG.length : rank;
};

export default class LongestFirst extends TestSequencer {
  /** @param {import('@jest/test-result').Test[]} tests */
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => rankOf(a.path) - rankOf(b.path));
  }
}
