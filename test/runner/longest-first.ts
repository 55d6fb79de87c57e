/**
 * Orders test files on a machine that has not run them yet. Files that wait for a whole service are first, so
 * that none of them starts last and runs alone. If Jest has stored how long each file took, it orders the files
 * itself.
 */
import type { Test } from '@jest/test-result';
import JestSequencer from '@jest/test-sequencer';

/**
 * Jest's types describe its CommonJS build. Node.js imports the other build, whose default export is the class
 * itself.
 */
const TestSequencer = JestSequencer as unknown as typeof JestSequencer.default;

/** Parts of paths. The long tests are in the order of their times on a machine with two cores. */
const LONG = [
  'console/test/axe.long',
  'acceptance/large-burst.long',
  // Waits most of its time, so it runs beside the burst.
  'acceptance/contract.long',
  'memory/service.long',
  'declarations/changed.long',
  'proof/explorer.long',
  'permissions/permissions.long',
  'console/test/bars.long',
  // Checks how long jobs wait, so it runs beside files that wait themselves.
  'acceptance/busy-release.long',
  'acceptance/real-workers.long',
  'acceptance/hostile-requests.long',
  'proof/model.long',
  'acceptance/kill-matrix.long',
  'acceptance/malformed.long',
  'acceptance/workers.long',
  'acceptance/alive.long',
  'acceptance/contract',
  'acceptance/first-job',
  'acceptance/releases',
  'acceptance/',
  'bench/calls/calls.',
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
