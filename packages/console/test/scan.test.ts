import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { childrenOf, elementsOf, membersOf, scan } from '../json/scan.ts';
import { JsonSyntaxError } from '../json/syntax-error.ts';

describe('the reader of JSON', () => {
  it('keeps the digits, order and text of members', () => {
    const members = membersOf(' {"2": 9007199254740993, "1": 1.0, "a\\u0062": "\\ud83d" } ');
    expect([...(members ?? [])]).toEqual([
      ['2', '9007199254740993'],
      ['1', '1.0'],
      ['ab', '"\\ud83d"'],
    ]);
  });

  it('accepts what JSON.parse accepts, with the same members', async () => {
    await fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (json, indent) => {
        const value = JSON.parse(json) as unknown;
        const text = JSON.stringify(value, null, indent);
        const parts = membersOf(text) ?? elementsOf(text);
        if (Array.isArray(parts)) expect(parts.map((part) => JSON.parse(part) as unknown)).toEqual(value);
        else if (parts instanceof Map)
          expect([...parts].map(([name, part]) => [name, JSON.parse(part as string) as unknown])).toEqual(
            Object.entries(value as object),
          );
        else expect(typeof value !== 'object' || value === null).toBe(true);
      }),
    );
  });

  it('refuses what JSON.parse refuses', async () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '1',
      '-',
      '0',
      '.5',
      'e1',
      'null',
      'tru',
      ' ',
      '\n',
      '"',
      '\\',
    ];
    await fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        const accepts = (read: (text: string) => unknown) => {
          try {
            read(text);
            return true;
          } catch {
            return false;
          }
        };
        expect(accepts(childrenOf)).toBe(accepts(JSON.parse));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['{\n  "a": 1,\n}', 3, 1, 'the name of a member, in double quotes, must be here, not "}"'],
    ['[1, 2', 1, 6, 'a comma or ] must be here, but the text ends'],
    ['{"a" 1}', 1, 6, 'a colon must follow the name, not "1"'],
    ['"ab', 1, 4, 'a string must end with a quote, but the text ends'],
    ['"a\nb"', 1, 3, 'a line break or another control character in a string must be escaped, for example as \\n.'],
    ['"\\x"', 1, 3, 'a backslash needs one of "\\/bfnrtu after it, not "x"'],
    ['"\\u12g4"', 1, 3, 'after \\u, the 4 hexadecimal digits of a character must follow.'],
    ['{} {}', 1, 4, 'the text must end after the value, not "{"'],
  ])('reports line, column and cause of the error in %j', (text, line, column, cause) => {
    const read = () => childrenOf(text);
    expect(read).toThrow(JsonSyntaxError);
    expect(read).toThrow(`Line ${line}, column ${column}: ${cause}`);
  });

  it('reads 1,000 levels of nesting, and refuses 1,001', () => {
    expect(() => childrenOf('['.repeat(1001) + ']'.repeat(1001))).toThrow(
      'column 1001: objects and arrays can be nested at most 1000 levels deep.',
    );
    expect(childrenOf('['.repeat(1000) + ']'.repeat(1000)).ends).toEqual([1999]);
  });

  it('reports the offsets of long strings', () => {
    const text = `{"a": ["${'x'.repeat(200)}", "short"]}`;
    const found: string[] = [];
    scan(text, 0, { onLongString: (start, end) => found.push(text.slice(start, end)) });
    expect(found).toEqual([`"${'x'.repeat(200)}"`]);
  });
});
