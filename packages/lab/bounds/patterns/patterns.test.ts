/** Tests the check of regular expressions: it finds each pattern of the product, and notices slow patterns. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { recorded } from './built.ts';
import { checkPatterns, faultOf } from './check.ts';
import { findPatterns, patternsIn } from './find.ts';
import { slowUnit } from './iterate.ts';

const SLOW = { file: 'core/a.ts', source: '^(a+)+$', flags: '' } as const;
const FAST = { file: 'core/a.ts', source: '^a+$', flags: '' } as const;
const entry = { file: 'core/a.ts', pattern: '/^(a+)+$/', reason: 'own texts', bound: '10 characters' } as const;

beforeAll(() => {
  // The checker's native program would be left running.
  process.env.RECHECK_BACKEND = 'pure';
});

describe('the patterns of a source', () => {
  it('are literals, calls of RegExp with literals, and calls that build a pattern', () => {
    const text = 'const a = /b+/gi; const c = new RegExp("d*", "u"); const e = RegExp("f"); new RegExp(g);';
    const literals = [
      { source: 'b+', flags: 'gi' },
      { source: 'd*', flags: 'u' },
      { source: 'f', flags: '' },
    ];
    expect(patternsIn(text)).toEqual([...literals, undefined]);
  });

  it('are found in each room of the product, and not in its tests', () => {
    const files = findPatterns().patterns.map(({ file }) => file);
    const rooms = ['aws', 'bin', 'core', 'ingress', 'lambda', 'lib', 'packages/console', 'packages/emulator', 'worker'];
    const silent = rooms.filter((room) => !files.some((file) => file.startsWith(`${room}/`)));
    // The ingress only builds patterns.
    expect(silent).toEqual(['ingress']);
    expect(files.filter((file) => file.includes('/test/'))).toEqual([]);
  });

  it('are recorded when they are built', async () => {
    const build = async () => new RegExp(`${'x'.repeat(2)}+`, 'g');
    expect(await recorded(build)).toEqual([{ source: 'xx+', flags: 'g' }]);
    expect(/y/).toBeInstanceOf(RegExp);
  });
});

describe('a pattern', () => {
  it.each([
    ['exponential', '^(?:a|a)*$', /exponential/],
    ['quadratic', String.raw`^[\w!]+(?:[\t -~]*)$`, /polynomial/],
    ['quadratic without an anchor', String.raw`\[[^\]]*\]$`, /polynomial/],
  ])('that is %s is refused: /%s/', async (_, source, fault) => {
    expect(await faultOf({ source, flags: '' })).toMatch(fault);
  });

  it('whose repeated searches are quadratic is refused, although each search is linear', () => {
    const source = String.raw`"(?:[^"\\]|\\.)*"|[^\s"]+`;
    expect(slowUnit({ source, flags: 'g' })).toBeDefined();
    expect(slowUnit({ source, flags: '' })).toBeUndefined();
    expect(slowUnit({ source: String.raw`"[^"\\]*(?:\\.[^"\\]*)*"?|[^\s"]+`, flags: 'g' })).toBeUndefined();
  });

  it('that is linear passes', async () => {
    expect(await faultOf(FAST)).toBeUndefined();
  });
});

describe('the check', () => {
  it('names the file and the pattern of a problem', async () => {
    const { problems, checked } = await checkPatterns({ patterns: [SLOW, FAST], builders: [] }, [], []);
    expect(problems).toEqual([expect.stringMatching(/^core\/a\.ts: \/\^\(a\+\)\+\$\/: exponential/)]);
    expect(checked).toBe(2);
  });

  it('accepts a listed pattern in its file, and in no other', async () => {
    const other = { ...SLOW, file: 'core/b.ts' };
    const { problems } = await checkPatterns({ patterns: [SLOW, other], builders: [] }, [], [entry]);
    expect(problems).toEqual([expect.stringContaining('core/b.ts')]);
  });

  it('refuses an entry whose pattern is gone or no longer slow', async () => {
    const stale = { ...entry, pattern: '/^a+$/' };
    const { problems } = await checkPatterns({ patterns: [FAST], builders: [] }, [], [entry, stale]);
    expect(problems).toEqual([
      expect.stringContaining('has no slow /^(a+)+$/'),
      expect.stringContaining('has no slow /^a+$/'),
    ]);
  });

  it('refuses a file that builds patterns without an example', async () => {
    const { problems } = await checkPatterns({ patterns: [], builders: ['core/new.ts'] }, [], []);
    expect(problems).toEqual([expect.stringContaining('core/new.ts builds a pattern: add an example')]);
  });
});
