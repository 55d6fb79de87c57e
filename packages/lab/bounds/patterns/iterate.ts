/**
 * Measures patterns that a text is searched with repeatedly (flag `g`). The checker examines one search. Repeated
 * searches can take quadratic time although each is linear: each search reads to the end of the text and then matches
 * one character. In `"\"\"\"…`, `/"(?:[^"\\]|\\.)*"|./g` does so.
 */
import type { Pattern } from './find.ts';

/** Length of a text in characters. A linear pattern needs less than 2 ms, a quadratic one at least 50 ms. */
const LENGTH = 20_000;
/** Processor time in milliseconds that a linear pattern does not need, even on a busy machine. */
const MAX_TIME = 20;
/** A slow search is repeated, because the first search also compiles the pattern. */
const REPEATS = 3;

/** Characters that begin tokens in many patterns, a letter, a digit and white space. */
const COMMON = ['a', '0', ' ', '\n', '\\', '"'];

/** Returns the texts that are repeated: pairs of the characters of the pattern and of common ones. */
export function unitsFor(source: string): string[] {
  const own = [...source].filter((character) => !/[A-Za-z\d]/.test(character));
  const characters = [...new Set([...COMMON, ...own])];
  return characters.flatMap((first) => characters.map((second) => (first === second ? first : first + second)));
}

function searchTime(pattern: RegExp, text: string): number {
  const began = process.threadCpuUsage();
  for (const _ of text.matchAll(pattern));
  return process.threadCpuUsage(began).user / 1_000;
}

/** Returns the unit whose repetition makes repeated searches slow, or undefined if there is none. */
export function slowUnit({ source, flags }: Pick<Pattern, 'source' | 'flags'>): string | undefined {
  if (!flags.includes('g')) return undefined;
  const pattern = new RegExp(source, flags);
  return unitsFor(source).find((unit) => {
    const text = unit.repeat(Math.ceil(LENGTH / unit.length));
    for (let repeat = 0; repeat < REPEATS; repeat += 1) if (searchTime(pattern, text) < MAX_TIME) return false;
    return true;
  });
}
