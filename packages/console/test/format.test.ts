import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { formatted, layoutOf } from '../json/format.ts';
import { JsonSyntaxError } from '../json/syntax-error.ts';

/** The values as they were sent, without spaces between them. */
const compact = (json: string) => json.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => (part.startsWith('"') ? part : ''));

describe('the layout of JSON', () => {
  it('keeps every character of the values, and their order', async () => {
    await fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        expect(compact(formatted(text))).toBe(compact(text));
      }),
      { examples: [['{"a":[],"b":{},"c":[1,{"d":"{,}"}]}', undefined]] },
    );
    expect(formatted('[9007199254740993,1.0]')).toBe('[\n  9007199254740993, 1.0\n]');
  });

  it('has a line for each member, and for inner objects that fit', () => {
    expect(formatted('{"a":1,"usage":{"in": 3,"out":[]},"list":[{"id":1},{"id":2}],"none":{}}').split('\n')).toEqual([
      '{',
      '  "a": 1,',
      '  "usage": {',
      '    "in": 3,',
      '    "out": []',
      '  },',
      '  "list": [',
      '    {"id": 1}, {"id": 2}',
      '  ],',
      '  "none": {}',
      '}',
    ]);
  });

  it('shows a vector as a block', () => {
    const vector = Array.from({ length: 1536 }, (_, n) => Math.fround(Math.sin(n)));
    const lines = formatted(JSON.stringify({ vector })).split('\n');
    expect(lines.length).toBeLessThan(600);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(82);
  });

  it('ends after 500,000 lines, also with deep brackets', () => {
    const lines = formatted(`[${`${'['.repeat(400)}1${']'.repeat(400)},`.repeat(2_000)}1]`).split('\n');
    expect(lines).toHaveLength(500_001);
    expect(lines.at(-1)).toMatch(/^… Further lines/);
  });
});

describe('what a page shows of JSON', () => {
  it('escapes invisible characters, and has line breaks only if they are wanted', () => {
    const text = '{"a": "x\\ny\u202e"}';
    expect(layoutOf(text, false)).toBe('{\n  "a": "x\\ny\\u202e"\n}');
    expect(layoutOf(text, true)).toBe('{\n  "a": "x\ny\\u202e"\n}');
  });

  it('has the beginning of a string that is a file', () => {
    expect(layoutOf(`["${'x'.repeat(2_000_000)}"]`, false)).toMatch(/"x{49999}…" \(2,000,002 characters\)\n\]$/);
  });

  it('is refused if the text is not JSON', () => {
    expect(() => layoutOf('{} x', false)).toThrow(JsonSyntaxError);
  });
});
