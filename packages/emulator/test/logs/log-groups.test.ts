/** Tests how many lines a stream of the local logs keeps. */
import { expect, it } from '@jest/globals';
import { createLogGroups } from '../../logs/log-groups.ts';

it('says how many earlier lines only the log file has', () => {
  const groups = createLogGroups(() => 1, 100);
  groups.declare('group');
  const print = groups.open('group', 'main/main/t1');
  for (let n = 0; n < 50; n += 1) print(`line ${n}`);
  const lines = (groups.read('group', ['main/main/t1']) ?? []).map(({ message }) => message);
  const [first = '', second] = lines;
  const dropped = Number(/^(\d+) earlier lines are only in the log file/.exec(first)?.[1]);
  expect(dropped).toBeGreaterThan(0);
  expect(second).toBe(`line ${dropped}`);
  expect(lines.at(-1)).toBe('line 49');
});
