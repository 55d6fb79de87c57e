import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startContainer } from '../../ecs/container.ts';
import { createEndedLogs, openBoundedLog } from '../../state/bounded-log.ts';
import { newFolder } from '../small-service.ts';

const MB = 1_024 * 1_024;

let folder: string;
const file = (name: string) => join(folder, name);
const sizeOfFolder = () => readdirSync(folder).reduce((sum, name) => sum + statSync(file(name)).size, 0);

beforeEach(() => {
  folder = newFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a log', () => {
  it('never exceeds its maximum size, and keeps its newest lines', () => {
    const log = openBoundedLog(file('a.log'), 1_000);
    for (let n = 0; n < 1_000; n += 1) {
      log.write(`line ${n}\n`);
      expect(sizeOfFolder()).toBeLessThanOrEqual(1_000);
    }
    log.close();
    const lines = `${readFileSync(file('a.log.1'), 'utf8')}${readFileSync(file('a.log'), 'utf8')}`.trim().split('\n');
    const first = 1_000 - lines.length;
    expect(lines.length).toBeGreaterThan(50);
    expect(lines).toEqual(lines.map((_, n) => `line ${first + n}`));
  });

  it('counts what an earlier process has written', () => {
    for (let n = 0; n < 10; n += 1) {
      const log = openBoundedLog(file('a.log'), 100);
      log.write('x'.repeat(30));
      log.close();
    }
    expect(sizeOfFolder()).toBeLessThanOrEqual(100);
  });

  it('ignores output after its end, instead of writing it to another file', () => {
    const log = openBoundedLog(file('a.log'));
    log.close();
    const other = openBoundedLog(file('b.log'));
    log.write('late');
    log.close();
    other.write('other');
    expect(readFileSync(file('b.log'), 'utf8')).toBe('other');
    other.close();
  });

  it('of a container has at most 8 MB, however much the container prints', async () => {
    const print = `for (let n = 0; n < 24; n += 1) process.stdout.write('x'.repeat(${MB - 1}) + '\\n')`;
    const command = [process.execPath, '-e', print] as const;
    await startContainer({ command, folder, environment: {}, log: file('a.log'), print: () => undefined }).ended;
    expect(sizeOfFolder()).toBeLessThanOrEqual(8 * MB);
    expect(sizeOfFolder()).toBeGreaterThan(3 * MB);
  });
});

describe('the logs of exited containers', () => {
  it('are kept up to the maximum, and the oldest are removed with their earlier output', () => {
    const add = createEndedLogs(3);
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      for (const end of ['', '.1']) writeFileSync(file(`${name}${end}`), name);
      add([file(name)]);
    }
    expect(['a', 'a.1', 'b', 'b.1'].filter((name) => existsSync(file(name)))).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual(['c', 'c.1', 'd', 'd.1', 'e', 'e.1']);
  });
});
