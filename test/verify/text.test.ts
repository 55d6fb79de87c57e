import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { Row } from '../../bin/verify/results.ts';
import { inOneLine, lineOf, summaryOf } from '../../bin/verify/text.ts';

const messageOf = (assertion: () => void): string => {
  try {
    assertion();
  } catch (error) {
    return stripVTControlCharacters((error as Error).message);
  }
  throw new Error('The assertion holds.');
};

describe('the line of an assertion', () => {
  it.each([
    [() => expect(200).toBe(404), 'Expected: 404, Received: 200'],
    [
      () => expect([1, { status: 200, code: 'A' }]).toEqual([1, { status: 404, code: 'A' }]),
      'expected "status": 404, received "status": 200',
    ],
    [() => expect({ a: 1 }).toEqual({ a: 1, b: 2 }), 'expected "b": 2, received nothing'],
    [() => expect('hello').toContain('x'), 'Expected substring: "x", Received string: "hello"'],
  ])('has what was expected and received: %s', (assertion, line) => {
    expect(inOneLine(messageOf(assertion))).toBe(line);
  });

  it('is the message of another error, shortened and without line breaks', () => {
    expect(inOneLine('The job\n  did not end.')).toBe('The job did not end.');
    expect(inOneLine('x'.repeat(500))).toBe(`${'x'.repeat(400)}…`);
  });
});

describe('results', () => {
  const row = (id: string, ...tests: Row['tests']): Row => ({
    id,
    section: 'Job',
    status: tests.some(({ status }) => status === 'fails') ? 'fails' : (tests[0]?.status ?? 'not checked'),
    ...(tests[0]?.reason !== undefined && { reason: tests[0].reason }),
    tests,
  });
  const test = (status: Row['status'], more: Partial<Row['tests'][number]> = {}) =>
    ({ title: 'a job has an id', status, milliseconds: 1, ...more }) as const;

  it('have a line for a row that fails, with its first failing test', () => {
    const failing = test('fails', { error: 'No id.' });
    expect(lineOf(row('job.id', test('holds'), failing, failing))).toBe(
      'job.id does not hold: a job has an id: No id. (and 1 more failing)',
    );
  });

  it('are counted, with the reasons why rows and tests are not checked', () => {
    const skipped = test('not checked', { reason: 'no key' });
    const rows = [
      row('a.a', test('holds')),
      row('a.b', test('fails'), skipped),
      row('a.c', skipped),
      row('a.d', skipped),
    ];
    expect(summaryOf(rows).split('\n')).toEqual([
      '1 row holds, 1 does not, 2 not checked (2: no key).',
      'Tests of other rows that did not run: 1: no key.',
    ]);
  });
});
