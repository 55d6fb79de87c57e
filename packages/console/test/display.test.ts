import { describe, expect, it } from '@jest/globals';
import { linesOf, preview, seen, stringOf } from '../json/display.ts';

describe('the display of untrusted text', () => {
  it('escapes invisible characters and characters that reorder text', () => {
    expect(seen('a\u202eb\u200bc\u0000\u001b[31m\r\n')).toBe('a\\u202eb\\u200bc\\u0000\\u001b[31m\\u000d\n');
    expect(seen('\u{e0041}')).toBe('\\u{e0041}');
  });

  it('keeps joined emojis, tabs and line breaks', () => {
    expect(seen('👩‍🚀\t\n')).toBe('👩‍🚀\t\n');
  });

  it('shows the beginning of a value on one line', () => {
    expect(preview('{\n  "a": 1\n}', 0, 12, 100)).toBe('{ "a": 1 }');
    expect(preview('"abcdef"', 0, 8, 4)).toBe('"abc…');
  });

  it('splits lines that are too long', () => {
    expect(linesOf('abcde\r\nf\ng', 2)).toEqual(['ab', 'cd', 'e', 'f', 'g']);
    expect(linesOf('\nab\r\r\n', 2)).toEqual(['', 'ab', '', '']);
    expect(linesOf('')).toEqual(['']);
  });

  it('shows at most 250,000 lines, and says that there are more', () => {
    const lines = linesOf('\n'.repeat(300_000));
    expect(lines).toHaveLength(250_001);
    expect(lines.at(-1)).toBe('… Further lines are in the copied or downloaded text.');
  });

  it('reads the value of a JSON string', () => {
    expect(stringOf('"a\\n\\u0062"')).toBe('a\nb');
    expect(['1', '{}', '"a', '"a" "b"'].map(stringOf)).toEqual([undefined, undefined, undefined, undefined]);
  });
});
