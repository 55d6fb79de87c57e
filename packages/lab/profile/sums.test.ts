import { describe, expect, it } from '@jest/globals';
import type { TimelineEntry } from '../../../test/runner/timeline.ts';
import { kindOf } from './kinds.ts';
import type { Use } from './processes.ts';
import { sumsOf } from './sums.ts';

const at = (worker: string, at: number, file: string, phase: TimelineEntry['phase']) => ({ worker, at, file, phase });
const use = (worker: string, seconds: number, command = 'node jest-worker/processChild.js'): Use => ({
  pid: 1,
  command,
  worker,
  seconds,
});

const timeline = [
  at('1', 100, 'test/json/json.test.ts', 'loading'),
  at('1', 200, 'test/json/json.test.ts', 'testing'),
  at('2', 150, 'test/walls.test.ts', 'loading'),
  at('1', 300, 'test/json/json.test.ts', 'waiting'),
  at('1', 400, 'test/json/scan.test.ts', 'loading'),
];
const sums = (...samples: Parameters<typeof sumsOf>[0]) => sumsOf(samples, timeline);

describe('the sums of processor time', () => {
  it('count a sample for the file and the phase of its Jest process at that time', () => {
    const { byFile, byPhase } = sums(
      { at: 150, uses: [use('1', 1), use('2', 2)] },
      { at: 250, uses: [use('1', 4), use('2', 8)] },
      { at: 450, uses: [use('1', 16)] },
    );
    expect(Object.fromEntries(byFile)).toEqual({
      'test/json/json.test.ts': 5,
      'test/walls.test.ts': 10,
      'test/json/scan.test.ts': 16,
    });
    expect(Object.fromEntries(byPhase)).toEqual({ loading: 27, testing: 4 });
  });

  it('count the time of processes outside Jest and the time between files for the whole run', () => {
    const { byFile, byRoom } = sums({ at: 50, uses: [use('1', 1)] }, { at: 350, uses: [use('1', 2), use('', 4)] });
    expect(Object.fromEntries(byFile)).toEqual({ 'the whole run': 7 });
    expect(Object.fromEntries(byRoom)).toEqual({ 'the whole run': 7 });
  });

  it('include one row for each room, and one row for each file without a room', () => {
    const { byRoom } = sums({ at: 250, uses: [use('1', 1), use('2', 2)] }, { at: 450, uses: [use('1', 4)] });
    expect(Object.fromEntries(byRoom)).toEqual({ json: 5, 'walls.test.ts': 2 });
  });

  it('count each second only once in each table', () => {
    const uses = [use('1', 1), use('2', 2, 'dynoxide serve'), use('', 4, 'node bin/start/main.mjs'), use('1', 0)];
    for (const table of Object.values(sums({ at: 250, uses }, { at: 500, uses })))
      expect([...table.values()].reduce((sum, seconds) => sum + seconds, 0)).toBe(14);
  });
});

it.each([
  ['/usr/bin/node /p/node_modules/jest-worker/build/processChild.js', 'test files'],
  ['node node_modules/jest/bin/jest.js test/core', 'jest'],
  ['node bin/start/main.mjs --port 0', 'npm start'],
  ['/p/node_modules/@dynoxide/linux-x64/bin/dynoxide serve --port 1', 'DynamoDB emulator'],
  ['node /p/packages/emulator/emulators/emulators-process.ts /tmp/a', 'queue and bucket emulator'],
  ['sh -c true', 'others'],
])('%s is of the kind "%s"', (command, kind) => {
  expect(kindOf(command)).toBe(kind);
});
