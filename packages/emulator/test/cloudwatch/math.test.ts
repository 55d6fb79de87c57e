import { expect, it } from '@jest/globals';
import { parseFormula } from '../../cloudwatch/math.ts';

const values: Readonly<Record<string, number | undefined>> = { one: 1, two: 2, ten: 10, none: undefined };

const evaluate = (text: string) =>
  parseFormula(text)({
    value: (id) => values[id],
    metrics: (part) => Object.entries(values).flatMap(([id, value]) => (id.includes(part) ? [value] : [])),
  });

it.each([
  ['1 + two * 3', 7],
  ['(1 + two) * 3', 9],
  ['-two - -1', -1],
  ['100 * one / ten', 10],
  ['ten > 9 && one != two', 1],
  ['ten <= 9 || one == two', 0],
  ['IF(ten >= 10, 5, 6)', 5],
  ['IF(ten < 10, 5, 6)', 6],
  ['IF(ten < 10, 5)', undefined],
  ['IF(none, 5, 6)', undefined],
  ['one + none', undefined],
  ['one / (two - 2)', undefined],
  ['FILL(none, 0) + FILL(one, 7)', 1],
  ['SUM([one, two, none])', 3],
  ['SUM([none])', undefined],
  ['SUM(FILL([one, none], 4))', 5],
  ['SUM(METRICS())', 13],
  ['MAX(METRICS("o")) + MIN(METRICS("t"))', 4],
  ['AVG([ten, two])', 6],
])('calculates %s as CloudWatch does', (text, expected) => {
  expect(evaluate(text)).toBe(expected);
});
