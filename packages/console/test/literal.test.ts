import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isExact, pythonLiteral, quoted, shellQuoted, visibleJson } from '../json/literal.ts';

/** Texts that try to break out of quotes in shells, JavaScript and Python. */
const hostile = [
  `'; echo no; '`,
  '$(id) `id` $HOME $' + '{x} !! \\',
  '"""\'\'\'\\"',
  'a\nb\r\tc',
  '\u202egnp.exe\u2066\u200b\ufeff',
  '😀 é \u2028\u2029\u007f',
  '-n --data @/etc/passwd',
];

const texts = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));

describe('literals', () => {
  it('are one shell argument, regardless of their content', () => {
    const printable = hostile.map((text) => text.replaceAll('\0', ''));
    const script = printable.map((text) => `printf '%s\\0' ${shellQuoted(text)}`).join('\n');
    const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
    expect(stdout.split('\0').slice(0, -1)).toEqual(printable);
  });

  it('have the same value in JavaScript as in JSON', async () => {
    await fc.assert(
      fc.property(texts, (value) => {
        expect(new Function(`return ${quoted(value)}`)()).toBe(value);
        const json = JSON.stringify({ [value]: [value, 1, null] });
        if (isExact(json)) expect(new Function(`return ${visibleJson(json)}`)()).toEqual(JSON.parse(json));
      }),
    );
  });

  it('escape invisible characters and characters that reorder text', () => {
    expect(quoted('\u202eab\u200b')).toBe('"\\u202eab\\u200b"');
    expect(visibleJson('{"a": "\u2066"}')).toBe('{"a": "\\u2066"}');
    expect(pythonLiteral('"\u202e\u{e0041}"')).toBe('"\\u202e\\U000e0041"');
  });

  it('join surrogates for Python, and replace escapes that Python does not have', () => {
    expect(pythonLiteral('{"a\\/b": "\\ud83d\\ude00", "t": true, "n": null, "f": false}')).toBe(
      '{"a/b": "😀", "t": True, "n": None, "f": False}',
    );
  });

  it.each([
    ['9007199254740993', false],
    ['123456789012345', true],
    ['1e400', false],
    ['1e-400', false],
    ['0.1234567890123456789', false],
    ['0.000', true],
    ['-1.5e3', true],
    ['"9007199254740993"', true],
    ['{"__proto__": 1}', false],
  ])('keep the value of %s: %p', (json, isKept) => {
    expect(isExact(json)).toBe(isKept);
  });
});
