/** Tests tables of commands: on a terminal they fit its width, elsewhere no text is cut. */
import { describe, expect, it } from '@jest/globals';
import { ago, type Column, duration, tableLines, widthOf } from '../../../bin/client/print.ts';
import { createProgress } from '../../../bin/client/progress.ts';

interface Row {
  readonly id: string;
  readonly count: number;
  readonly image: string;
}

const columns: readonly Column<Row>[] = [
  { head: 'ID', text: ({ id }) => id },
  { head: 'COUNT', text: ({ count }) => count, isNumber: true },
  { head: 'IMAGE', text: ({ image }) => image, shrinks: 'start' },
];
const rows = [
  { id: 'chat', count: 1, image: 'registry.example.com/team/chat:1.0' },
  { id: 'echo-http', count: 12, image: 'echo:2' },
];

describe('a table of a command', () => {
  it('aligns texts on the left and numbers on the right', () => {
    expect(tableLines(columns, rows, undefined)).toEqual([
      'ID         COUNT  IMAGE',
      'chat           1  registry.example.com/team/chat:1.0',
      'echo-http     12  echo:2',
    ]);
  });

  it('cuts the texts that can be cut until the lines fit the terminal, and no others', () => {
    const lines = tableLines(columns, rows, 30);
    expect(lines[1]).toBe('chat           1  …am/chat:1.0');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(30);
    expect(tableLines(columns, rows, 10)[2]).toBe('echo-http     12  echo:2');
  });
});

describe('a table with columns that can be omitted', () => {
  const jobs: readonly Column<Row>[] = [
    { head: 'ID', text: ({ id }) => id },
    { head: 'WAITED', text: ({ count }) => count, isNumber: true, omitted: 1 },
    { head: 'RAN', text: ({ count }) => count, isNumber: true, omitted: 2 },
    { head: 'WHY', text: () => 'WORKER_ERROR' },
  ];
  const headAt = (width: number | undefined) => tableLines(jobs, rows, width)[0]?.split(/ +/);

  it('omits them in their order until the lines fit the terminal', () => {
    expect(headAt(undefined)).toEqual(['ID', 'WAITED', 'RAN', 'WHY']);
    expect(headAt(36)).toEqual(['ID', 'WAITED', 'RAN', 'WHY']);
    expect(headAt(35)).toEqual(['ID', 'RAN', 'WHY']);
    expect(headAt(10)).toEqual(['ID', 'WHY']);
    expect(tableLines(jobs, rows, 10)[1]).toBe('chat       WORKER_ERROR');
  });
});

describe('a table whose last column has sentences', () => {
  const releases: readonly Column<Row>[] = [
    { head: 'ID', text: ({ id }) => id },
    { head: 'WHY', text: ({ count, image }) => (count > 1 ? `${image} cannot be pulled.` : undefined), below: true },
  ];

  it('has them whole below their rows if the terminal is too narrow', () => {
    expect(tableLines(releases, rows, 40)[2]).toBe('echo-http  echo:2 cannot be pulled.');
    expect(tableLines(releases, rows, 30)).toEqual(['ID', 'chat', 'echo-http', '  echo:2 cannot be pulled.']);
  });
});

describe('the width of a terminal', () => {
  it('is 80 if the terminal does not know it', () => {
    expect(widthOf({ isTTY: true, columns: 0 })).toBe(80);
    expect(widthOf({ isTTY: true, columns: 120 })).toBe(120);
    expect(widthOf({ isTTY: false, columns: 0 })).toBeUndefined();
  });

  it('shortens progress', () => {
    let written = '';
    const terminal = { isTTY: true, columns: 0, write: (text: string) => (written += text) };
    createProgress(terminal as unknown as NodeJS.WriteStream).show('IN_QUEUE for 2 s', 'IN_QUEUE');
    expect(written).toContain('IN_QUEUE for 2 s');
  });
});

describe('a duration', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1_000, '1.0 s'],
    [59_400, '59 s'],
    [119_999, '120 s'],
    [120_000, '2 min'],
    [7_200_000, '2 h'],
    [172_800_000, '2 d'],
  ])('of %d ms is %s', (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text);
  });

  it('since a time is never negative, because clocks differ', () => {
    const now = Date.parse('2026-11-01T12:00:00Z');
    expect(ago('2026-11-01T11:59:57Z', now)).toBe('3.0 s ago');
    expect(ago('2026-11-01T12:00:05Z', now)).toBe('0 ms ago');
    expect(ago(undefined)).toBe('');
  });
});
