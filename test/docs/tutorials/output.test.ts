import { describe, expect, it } from '@jest/globals';
import { isWhole, lengthOf, shownText } from './output.ts';

describe('the output of a command that has ended', () => {
  it.each([
    ['is equal', 'a\nb', 'a\nb\n', true],
    ['has another word', 'a\nb', 'a\nc\n', false],
    ['has a line more', 'a', 'a\nb\n', false],
    ['has a line less', 'a\nb', 'a\n', false],
    ['differs only where the page has `…`', '{"id":"…","n":1}', '{"id":"x.y","n":1}', true],
    ['differs elsewhere', '{"id":"…","n":1}', '{"id":"x","n":2}', false],
    ['has other lines where the page has a line `…`', 'a\n…\nz', 'a\nb\n\nc\nz', true],
    ['has no line where the page has a line `…`', 'a\n…\nz', 'a\nz', true],
    ['has characters that regular expressions interpret', 'a.b (c)', 'aXb (c)', false],
  ])('%s', (_, shown, printed, expected) => {
    expect(isWhole(shown, printed)).toBe(expected);
  });
});

describe('the output of a running command', () => {
  it('is matched up to the end of the shown lines', () => {
    expect(lengthOf('…\nReady.\n', '\nstarting\nReady.\nmore\n')).toBe('\nstarting\nReady.\n'.length);
  });

  it('is not matched before the last line is complete', () => {
    expect(lengthOf('Ready …', 'Ready no')).toBeUndefined();
    expect(lengthOf('Ready …', 'Ready now\n')).toBe(10);
  });

  it('is not matched if it begins differently', () => {
    expect(lengthOf('Ready.', 'error\nReady.\n')).toBeUndefined();
  });
});

it('is compared without colours, carriage returns and removed lines', () => {
  expect(shownText('\x1b[1;32mgreen\x1b[0m\r\n')).toBe('green\n');
  expect(shownText('before\r\n\r\x1b[2Kone\r\x1b[2Ktwo\r\x1b[2Kafter\r\n')).toBe('before\nafter\n');
});
