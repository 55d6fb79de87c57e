import { describe, expect, it } from '@jest/globals';
import { errorLine, fingerprintOf } from '../../core/history/fingerprint.ts';
import { historyLimits } from '../../core/history/limits.ts';

describe('the line of an error', () => {
  it.each([
    ['is the error', 'CUDA out of memory', 'CUDA out of memory'],
    ['is its first line that is not empty', '\n  no model\nat step 2', 'no model'],
    [
      "is the class and the message of an exception from RunPod's SDK",
      JSON.stringify({
        error_type: "<class 'ValueError'>",
        error_message: 'no such seed\nuse 1',
        error_traceback: 'T',
      }),
      'ValueError: no such seed',
    ],
    [
      'is the last line of a traceback',
      'Traceback (most recent call last):\n  File "a.py"\nKeyError: 1\n',
      'KeyError: 1',
    ],
    ['is JSON of any other form as it is', '{"a":1}', '{"a":1}'],
    ['is broken JSON as it is', '{"error_type":', '{"error_type":'],
    ['is empty for an empty error', '', ''],
  ])('%s', (_, error, line) => {
    expect(errorLine(error)).toBe(line);
  });

  it('has at most 200 bytes, and ends with a whole character', () => {
    const line = errorLine(`a${'é'.repeat(500)}`);
    expect(Buffer.byteLength(line)).toBe(historyLimits.error - 1);
    expect(line).toMatch(/^aé+$/);
  });
});

describe('the fingerprint', () => {
  const print = (line: string, code = 'WORKER_ERROR') => fingerprintOf(code, line);

  it.each([
    ['numbers', 'tried 3 times in 12.5 s', 'tried 14 times in 7.25 s'],
    ['ids of jobs', 'job 01m8md8gf35smkgvjwbvedyv4zk03fnt0rap', 'job 01m8mdc5n3k9qf0snvrk3881van27k24a005'],
    ['UUIDs, also of letters', 'no abcdefab-cdef-abcd-abcd-abcdefabcdef', 'no 1b4e28ba-2fa1-11d2-883f-0016d3cca427'],
    ['addresses in memory', '<Model at 0x7f3a1c>', '<Model at 0x55d0aa>'],
    ['numbers in words', 'cuda:0 failed', 'cuda:7 failed'],
  ])('ignores %s', (_, one, other) => {
    expect(print(one)).toBe(print(other));
    expect(print(one)).toMatch(/^[0-9a-f]{12}$/);
  });

  it('differs between words and between codes', () => {
    expect(print('no model')).not.toBe(print('no memory'));
    expect(print('H100 is busy')).not.toBe(print('A100 is busy'));
    expect(print('no model')).not.toBe(print('no model', 'WORKER_LOST'));
  });
});
