import { describe, expect, it } from '@jest/globals';
import { atOnce, SLICE } from '../../core/json/slices.ts';
import { payloadLimits } from '../../core/limits.ts';
import { type Chunk, cut, elementText, split as splitInSlices } from '../../core/streams/chunk.ts';

const MB = payloadLimits.chunk;
const sizes = (chunks: readonly Chunk[]) => chunks.map(({ output }) => Buffer.byteLength(output));
const elementSizes = (first: number, chunks: readonly Chunk[]) =>
  chunks.map((chunk, n) => Buffer.byteLength(elementText(first + n, chunk)));
const split = (chunk: Chunk, limit: number) => atOnce(splitInSlices(chunk, limit));
const outputs = (text: string, limit: number) => split({ output: text }, limit).map(({ output }) => output);
const quoted = (size: number) => `"${'x'.repeat(size - 2)}"`;

describe('an element of at most 1 MB', () => {
  const metrics = '{"running":1,"scenario":"é"}';
  const envelope = Buffer.byteLength(elementText(99, { output: '', metrics }));

  it.each([
    ['a string', quoted],
    ['an array', (size: number) => `[${quoted(10)},${quoted(size - 13)}]`],
    ['an object', (size: number) => `{"a":${quoted(size - 6)}}`],
    ['spaces', (size: number) => `1${' '.repeat(size - 1)}`],
  ])('is sent unchanged, but is split if it has one byte more: %s', async (_, textOf) => {
    for (const size of [MB - 1, MB]) {
      const chunk = { output: textOf(size - envelope), metrics };
      expect(elementSizes(99, [chunk])).toEqual([size]);
      const pieces = await cut(99, chunk);
      // `toEqual` would take minutes to show how strings of 1 MB differ.
      expect([pieces.length, pieces[0] === chunk]).toEqual([1, true]);
    }
    const pieces = await cut(99, { output: textOf(MB - envelope + 1), metrics });
    expect(pieces).toHaveLength(2);
    expect(Math.max(...elementSizes(99, pieces))).toBeLessThanOrEqual(MB);
    for (const piece of pieces) expect(piece.metrics).toBe(metrics);
  });

  it.each([0, 9, 9_999_999_000])('has room for its number, starting at %d, and for its part', async (first) => {
    for (const output of [quoted(20 * MB), `{"a":${quoted(20 * MB - 6)}}`]) {
      const pieces = await cut(first, { output, metrics });
      const largest = Math.max(...elementSizes(first, pieces));
      expect(largest).toBeLessThanOrEqual(MB);
      expect(largest).toBeGreaterThan(MB - 50);
    }
  });
});

describe('a string that is too large', () => {
  it('fills every piece except the last, and has no part numbers', () => {
    const pieces = split({ output: quoted(3 * MB) }, MB);
    expect(sizes(pieces)).toEqual([MB, MB, MB, 6]);
    expect(pieces.every((piece) => !('part' in piece))).toBe(true);
  });

  it.each([
    ['two bytes', 'é'],
    ['three bytes', '漢'],
    ['four bytes', '🙂'],
    ['an escape', '\\n'],
    ['a quote', '\\"'],
    ['a backslash', '\\\\'],
    ['a backslash before a letter', '\\\\u00e9'],
    ['an escaped code point', '\\u00e9'],
    ['an escaped pair', '\\ud83d\\ude42'],
    ['escaped pairs and lone halves', '\\ude42\\ud83d\\ud83d\\uDE42'],
  ])('is split between code points, wherever the limit falls: %s', (_, unit) => {
    for (let before = 0; before < 14; before += 1) {
      const text = `"${'x'.repeat(before)}${unit.repeat(20)}"`;
      const value = JSON.parse(text) as string;
      const pieces = outputs(text, 40);
      expect(Math.max(...pieces.map((piece) => Buffer.byteLength(piece)))).toBeLessThanOrEqual(40);
      const values = pieces.map((piece) => JSON.parse(piece) as string);
      expect(values.join('')).toBe(value);
      expect(values.flatMap((piece) => [...piece])).toEqual([...value]);
      // The result is byte for byte as the worker wrote it.
      expect(`"${pieces.map((piece) => piece.slice(1, -1)).join('')}"`).toBe(text);
    }
  });
});

describe('an array that is too large', () => {
  it('is split between elements, which are unchanged', () => {
    const elements = ['-0', '12345678901234567890', '"a,]["', '{"x": [1,2]}', '[[]]', '"\\u00e9"', 'null'];
    const pieces = outputs(` [${elements.join(' , ')}] `.trim(), 30);
    expect(pieces).toEqual(['[-0 , 12345678901234567890]', '["a,][" , {"x": [1,2]} , [[]]]', '["\\u00e9" , null]']);
  });

  it('is split as text if a single element is too large', () => {
    const text = `[1,${quoted(40)}]`;
    expect(split({ output: text }, 30)[0]).toMatchObject({ part: 1 });
  });

  it('may contain an element that just fits', () => {
    expect(outputs(`[${quoted(28)},1]`, 30)).toEqual([`[${quoted(28)}]`, '[1]']);
    expect(split({ output: `[${quoted(29)},1]` }, 30)[0]).toHaveProperty('part', 1);
  });
});

describe('an object that is too large', () => {
  it.each([`{"a":"${'é"\\n'.replaceAll('"', '\\"').repeat(20)}","n":-0}`, `{ "big":${'1'.repeat(60)} }`])(
    'is split as text, and each piece contains its part: %s',
    (text) => {
      const pieces = split({ output: text }, 40);
      expect(pieces.length).toBeGreaterThan(1);
      expect(pieces.map(({ part, parts }) => [part, parts])).toEqual(pieces.map((_, n) => [n + 1, pieces.length]));
      expect(pieces.map(({ output }) => JSON.parse(output) as string).join('')).toBe(text);
      expect(Math.max(...sizes(pieces))).toBeLessThanOrEqual(40);
    },
  );

  it('is not changed where the splitting pauses', () => {
    for (let before = 0; before < 4; before += 1) {
      const text = `{"a":"${'x'.repeat(SLICE - 8 + before)}🙂é"}`;
      expect(split({ output: text }, MB).map(({ output }) => JSON.parse(output) as string)).toEqual([text]);
      expect(outputs(text, MB)[0]).not.toContain('\\ud83d');
    }
  });
});
