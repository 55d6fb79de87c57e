/** Tests the proof of the parsers: its rules, its measure, and that it knows each parser. */
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { boundsPage, PAGE } from './page.ts';
import { parsersOf, places } from './parsers/all.ts';
import { incomplete } from './parsers/complete.ts';
import { median, runOnce } from './parsers/measure.ts';
import { between, type Parser, repeated } from './parsers/parser.ts';
import { violationsOf } from './parsers/rules.ts';

const MB = 1_024 * 1_024;

/** Uses the processor for this many milliseconds of processor time. */
function compute(milliseconds: number): void {
  const began = process.threadCpuUsage().user;
  while (process.threadCpuUsage().user - began < milliseconds * 1_000);
}

const parser: Parser = {
  parses: 'a text',
  file: 'core/a.ts',
  worst: 'one',
  size: 10 * MB,
  limit: 'limit',
  prepare: async () => () => 0,
};
const figures = { block: 1, half: 1, whole: 2, memory: MB } as const;

describe('the measure of a parser', () => {
  it('reports the longest block between two turns, and the time of all', async () => {
    const { block, total } = await runOnce(async () => {
      for (const milliseconds of [10, 40, 20]) {
        compute(milliseconds);
        await setImmediate();
      }
    });
    expect(block).toBeGreaterThanOrEqual(40);
    expect(block).toBeLessThan(total);
    expect(total).toBeGreaterThanOrEqual(70);
  });

  it('counts the time of a parser that refuses its input', async () => {
    const { block } = await runOnce(() => {
      compute(30);
      throw new Error('refused');
    });
    expect(block).toBeGreaterThanOrEqual(30);
  });

  it('takes the median of the runs', () => {
    expect(median([9, 1, 5])).toBe(5);
  });
});

describe('a parser', () => {
  it('may block the ingress for 50 ms and the agent for 500 ms', () => {
    expect(violationsOf('ingress', parser, { ...figures, block: 50 })).toEqual([]);
    expect(violationsOf('ingress', parser, { ...figures, block: 51 })).toEqual([
      expect.stringContaining('blocks for 51.0 ms'),
    ]);
    expect(violationsOf('agent', parser, { ...figures, block: 500 })).toEqual([]);
    expect(violationsOf('agent', parser, { ...figures, block: 501 })).toHaveLength(1);
  });

  it('takes a text above 1 MB only in the worker of the page', () => {
    const onPage: Parser = { ...parser, thread: 'page', size: 1_000_001 };
    expect(violationsOf('console', onPage, figures)).toEqual([
      'takes 1000001 characters outside the worker; at most 1000000 are allowed',
    ]);
    expect(violationsOf('console', onPage, { ...figures, asked: 1 })).toEqual([]);
    expect(violationsOf('console', { ...onPage, size: 1_000_000 }, { ...figures, block: 400 })).toEqual([]);
  });

  it('may block the worker of the page, and the page for 100 ms while it sends a text', () => {
    const slow = { ...figures, block: 101 };
    expect(violationsOf('console', { ...parser, thread: 'worker' }, slow)).toEqual([]);
    expect(violationsOf('console', parser, { ...slow, asked: 1 })).toEqual([
      expect.stringContaining('blocks for 101.0 ms'),
    ]);
  });

  it('takes a time that grows linearly', () => {
    expect(violationsOf('function', parser, { ...figures, half: 100, whole: 220 })).toEqual([]);
    expect(violationsOf('function', parser, { ...figures, half: 100, whole: 400 })).toEqual([
      expect.stringContaining('not linear'),
    ]);
  });

  it('needs no more memory than its place declares', () => {
    expect(violationsOf('function', parser, { ...figures, memory: 400 * MB })).toEqual([
      expect.stringContaining('needs 400 MB; at most 384 are allowed'),
    ]);
  });
});

describe('the list of parsers', () => {
  it('has each file that parses, and no other', async () => {
    const files = (await Promise.all(places.map(parsersOf))).flat().map(({ file }) => file);
    expect(incomplete(files)).toEqual([]);
  });

  it('reports a new file that parses, and a listed file that does not', () => {
    const problems = incomplete([], ['core/new.ts']);
    expect(problems).toContainEqual(expect.stringContaining('core/new.ts parses'));
    expect(problems).toContainEqual(expect.stringContaining('core/json/json.ts does not parse'));
  });

  it('is the list of the page', async () => {
    expect(readFileSync(PAGE, 'utf8')).toBe(await boundsPage());
  });

  it('has one name for each parser of a place, and inputs that are not larger than the limit', async () => {
    for (const place of places) {
      const names = (await parsersOf(place)).map(({ parses }) => parses);
      expect(new Set(names).size).toBe(names.length);
    }
    expect(repeated('abc', 10)).toBe('abcabcabc');
    expect(between('[', '1,', '1]', 10)).toBe('[1,1,1,1]');
  });
});
