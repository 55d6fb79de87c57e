/** Prints the progress and the summary of a run. */
import type { AggregatedResult } from '@jest/test-result';
import { type StoredSeed, storedSeeds } from './seed.ts';

/** Number of slow files in the summary. */
const SLOWEST = 10;

export interface FileTime {
  /** Path relative to the repository. */
  readonly file: string;
  readonly milliseconds: number;
}

const many = (count: number, name: string) => `${count.toLocaleString('en')} ${name}${count === 1 ? '' : 's'}`;

export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const testsThatRan = ({ numPassedTests, numFailedTests }: AggregatedResult) => numPassedTests + numFailedTests;

function filesThatRan({ numPassedTestSuites, numFailedTestSuites }: AggregatedResult): number {
  return numPassedTestSuites + numFailedTestSuites;
}

/** @param milliseconds time since the run began */
export function progressLine(results: AggregatedResult, milliseconds: number): string {
  const files = `${filesThatRan(results)} of ${many(results.numTotalTestSuites, 'file')}`;
  const failed = failedIn(results);
  const failures = failed > 0 ? `, ${failed} failed` : '';
  return `${files}, ${many(testsThatRan(results), 'test')}, ${duration(milliseconds)}${failures}`;
}

/**
 * Returns the number of failed tests. A file that cannot run, or that fails outside of its tests, counts as one.
 */
export const failedIn = ({ numFailedTests, numRuntimeErrorTestSuites }: AggregatedResult): number =>
  numFailedTests + numRuntimeErrorTestSuites;

/** Returns the line that a CI system looks for. */
function countLine(results: AggregatedResult): string {
  const skipped = results.numPendingTests + results.numTodoTests;
  const counts = `${results.numPassedTests} passed, ${failedIn(results)} failed`;
  return skipped > 0 ? `${counts}, ${skipped} skipped` : counts;
}

/** Returns one line for each value of a variable, with the files that used the value. */
function seedLines(seeds: readonly StoredSeed[]): string[] {
  const groups = Map.groupBy(seeds, ({ name, seed }) => `${name}=${seed}`);
  const filesOf = (group: readonly StoredSeed[]) => group.map(({ file }) => file).join(' ');
  return [...groups].map(([value, group]) => `  ${value} ${filesOf(group)}`);
}

function slowestLines(times: readonly FileTime[]): string[] {
  const slowest = times.toSorted((one, other) => other.milliseconds - one.milliseconds).slice(0, SLOWEST);
  return slowest.map(({ file, milliseconds }) => `${(milliseconds / 1_000).toFixed(1).padStart(7)} s  ${file}`);
}

/**
 * @param milliseconds time since the run began
 * @param seconds processor time, if known
 */
export function summaryOf(
  results: AggregatedResult,
  times: readonly FileTime[],
  milliseconds: number,
  seconds: number | undefined,
): string {
  const ran = `${many(filesThatRan(results), 'file')}, ${many(testsThatRan(results), 'test')}`;
  const used = seconds === undefined ? '' : `, ${duration(1_000 * seconds)} of processor time`;
  const seeds = seedLines(storedSeeds());
  return [
    `${ran} in ${duration(milliseconds)}${used}`,
    ...(times.length > 1 ? ['Slowest files:', ...slowestLines(times)] : []),
    ...(seeds.length > 0 ? ['Seeds:', ...seeds] : []),
    countLine(results),
  ].join('\n');
}
