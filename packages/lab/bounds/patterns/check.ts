/** Checks the regular expressions of the product for exponential and polynomial time. */
import { check as recheck } from 'recheck';
import { type Accepted, accepted } from './accepted.ts';
import { builderFiles, builtPatterns } from './built.ts';
import { type Found, findPatterns, type Pattern } from './find.ts';
import { slowUnit } from './iterate.ts';

/** Number of patterns that are checked concurrently, because CI has two cores. */
const AT_ONCE = 2;

const nameOf = ({ source, flags }: Pick<Pattern, 'source' | 'flags'>) => `/${source}/${flags}`;

/**
 * Limits of the checker in steps instead of time, so that its result does not depend on the machine. A search of
 * `maxAttackStringSize` characters takes at most 15 million steps if it is linear, even with `{1,512}`, and several
 * times `attackLimit` if it is quadratic.
 */
const limits = {
  maxAttackStringSize: 30_000,
  attackLimit: 50_000_000,
  attackTimeout: null,
  incubationTimeout: null,
  timeout: 120_000,
} as const;

/** Returns why the pattern can take more than linear time, or undefined if it cannot. */
export async function faultOf(pattern: Pick<Pattern, 'source' | 'flags'>): Promise<string | undefined> {
  const result = await recheck(pattern.source, pattern.flags, limits);
  if (result.status === 'vulnerable') return `${result.complexity.summary}, for ${result.attack.pattern}`;
  if (result.status === 'unknown') return `the checker gave up: ${result.error.kind}`;
  const unit = slowUnit(pattern);
  return unit === undefined ? undefined : `repeated searches are slow, for ${JSON.stringify(unit)} repeated`;
}

export interface PatternReport {
  readonly checked: number;
  readonly files: number;
  readonly accepted: number;
  readonly problems: readonly string[];
}

const covers = ({ file, pattern }: Accepted, found: Pattern) => file === found.file && pattern === nameOf(found);

/** Returns the problems of the list itself: builders without an example, and entries that no longer apply. */
function staleEntries(builders: readonly string[], slow: readonly Pattern[], list: readonly Accepted[]): string[] {
  return [
    ...builders
      .filter((file) => !builderFiles.includes(file))
      .map((file) => `${file} builds a pattern: add an example of it to packages/lab/bounds/patterns/built.ts.`),
    ...list
      .filter((entry) => !slow.some((pattern) => covers(entry, pattern)))
      .map(
        ({ file, pattern }) =>
          `${file} has no slow ${pattern}: remove it from packages/lab/bounds/patterns/accepted.ts.`,
      ),
  ];
}

/** Checks the patterns that were found, and those that are built at run time. */
export async function checkPatterns(
  found: Found = findPatterns(),
  built: readonly Pattern[] | undefined = undefined,
  list: readonly Accepted[] = accepted,
): Promise<PatternReport> {
  const all = [...found.patterns, ...(built ?? (await builtPatterns()))];
  const byName = [...Map.groupBy(all, nameOf).values()];
  const slow: Pattern[] = [];
  const problems: string[] = [];
  const left = byName.values();
  const lane = async () => {
    for (const [pattern, ...same] of left) {
      const fault = pattern && (await faultOf(pattern));
      if (!pattern || fault === undefined) continue;
      for (const each of [pattern, ...same]) {
        slow.push(each);
        if (!list.some((entry) => covers(entry, each))) problems.push(`${each.file}: ${nameOf(each)}: ${fault}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  problems.push(...staleEntries(found.builders, slow, list));
  return { checked: byName.length, files: new Set(all.map(({ file }) => file)).size, accepted: list.length, problems };
}
