/**
 * Orders test files on a machine that has not run them yet: those that wait for a whole service first, or one of
 * them would begin last and run alone. Where Jest has stored how long each took, it does the same by itself.
 */
import type { Test } from '@jest/test-result';
import JestSequencer from '@jest/test-sequencer';

/** Jest's types describe its CommonJS build; Node.js imports the other one, whose default export is the class itself. */
const TestSequencer = JestSequencer as unknown as typeof JestSequencer.default;

const LONG = [
  'acceptance/permissions.long',
  'proof/model.long',
  'acceptance/kill-matrix.long',
  'acceptance/contract',
  'acceptance/malformed',
  'acceptance/first-job',
  'acceptance/releases',
  'acceptance/alive',
  'acceptance/workers',
  'acceptance/kill-matrix',
  'acceptance/',
  'bench/calls.',
  'proof/',
];

function rankOf(path: string): number {
  const rank = LONG.findIndex((part) => path.includes(part));
  return rank === -1 ? LONG.length : rank;
}

export default class LongestFirst extends TestSequencer {
  override async sort(tests: Test[]): Promise<Test[]> {
    return [...(await super.sort(tests))].sort((a, b) => rankOf(a.path) - rankOf(b.path));
  }
}
