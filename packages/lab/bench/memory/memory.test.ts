import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../../../test/acceptance/local-service.ts';
import { collectHeaps } from '../../../../test/support/heaps.ts';
import { openInspector } from '../../../../test/support/inspector.ts';
import { startCommand } from '../../../../test/support/start-command.ts';
import { heapGrowth, markdownOf, rowsOf, type Sample, slope } from './figures.ts';
import { readOptions } from './options.ts';
import { memoryOfTree, type Part, partOf, sizeOfFolder } from './processes.ts';

const MB = 1_024 * 1_024;
const repository = join(import.meta.dirname, '../../../..');

describe('npm run bench -w packages/lab -- memory', () => {
  it('runs 20,000 jobs by default, and does not write the document', () => {
    expect(readOptions([])).toEqual({ help: false, jobs: 20_000, record: false });
  });

  it.each([
    [['--jobs', '0'], '--jobs must be a whole number from 1 to 1000000, got 0.'],
    [['--seconds', '1'], 'npm run bench -w packages/lab -- memory --help lists the options.'],
  ])('refuses %j with the value and what is allowed', (args, sentence) => {
    expect(() => readOptions(args)).toThrow(sentence);
  });

  it('starts the service with the flags and variables of `npm start`', () => {
    const args = ['--max-semi-space-size=4', '--no-parallel-scavenge', 'bin/start/main.mjs'];
    expect(startCommand(repository)).toEqual({ args, environment: { MALLOC_ARENA_MAX: '2' } });
  });

  it.each<[string, Part]>([
    ['node bin/start/main.mjs', 'service'],
    ['node /repository/packages/emulator/emulators/emulators-process.ts /state', 'service'],
    ['node_modules/@dynoxide/linux-x64/dynoxide serve', 'service'],
    ['node ingress/main.ts --host 127.0.0.1', 'ingress'],
    ['node --max-semi-space-size=2 worker/main.ts', 'agent'],
    ['node examples/echo/main.ts', 'container'],
  ])('counts %s as %s', (command, part) => {
    expect(partOf(command)).toBe(part);
  });
});

const sample = (jobs: number, heaps: Readonly<Record<string, number>>, rest: Partial<Sample> = {}): Sample => ({
  jobs,
  processes: [],
  heaps: Object.entries(heaps).map(([name, used]) => ({ name, used: used * MB })),
  state: 0,
  ...rest,
});

describe('the growth of the memory', () => {
  it('is the slope of the line through the points', () => {
    expect(slope([[0, 1], [1, 3], [2, 5]])).toBe(2); // biome-ignore format: one point per pair
    expect(slope([[1, 1]])).toBe(0);
  });

  it('counts the heaps of all threads after the first fifth of the jobs', () => {
    const samples = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) =>
      sample(n * 1_000, { main: n === 1 ? 0 : 30 + n / 2, run: 10 + n / 2 }),
    );
    expect(heapGrowth(samples)).toBeCloseTo(1);
  });

  it('ignores threads that have started or ended meanwhile', () => {
    const samples = [
      sample(1_000, { main: 30, sweep: 10 }),
      sample(2_000, { main: 30 }),
      sample(3_000, { main: 30, run: 9 }),
    ];
    expect(heapGrowth(samples)).toBe(0);
  });
});

describe('the bounds of the memory', () => {
  const of = (part: Part, resident: number) => ({ part, pid: 1, resident, proportional: resident, files: 1 });
  const missed = (idle: number, agent: number, heap: number, state: number) => {
    const processes = [of('service', idle), of('agent', agent)];
    const samples = [1, 2].map((n) => sample(n * 1_000, { main: 30 + heap * n }, { processes, state: state * n }));
    return rowsOf(sample(0, {}, { processes }), samples)
      .filter(({ isMet }) => isMet === false)
      .map(({ what }) => what.split(',')[0]);
  };

  it.each([
    [[400, 150, 0.1, 3], []],
    [[401, 150, 0, 0], ['`npm start` and emulators']],
    [[400, 151, 0, 0], ['an agent']],
    [[400, 150, 0.2, 0], ['growth of the heap after collection']],
    [[400, 150, 0, 3.1], ['growth of the state folder']],
  ] as const)('of %j are exceeded by %j', ([idle, agent, heap, state], expected) => {
    expect(missed(idle, agent, heap, state)).toEqual(expected);
  });

  it('are in the table of the document', () => {
    const rows = rowsOf(sample(0, {}), [sample(1_000, { main: 1 })]);
    expect(markdownOf(rows)).toMatch(/\| an agent, maximum +\| +0 MB \| +150 MB \| met +\|/);
  });
});

describe('the memory of a process', () => {
  it('includes its descendants', () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
    const own = memoryOfTree(process.pid);
    child.kill();
    expect(own.map(({ pid }) => pid)).toEqual(expect.arrayContaining([process.pid, child.pid]));
    expect(own[0]?.resident).toBeGreaterThan(process.memoryUsage().heapUsed / MB);
    expect(own[0]?.proportional).toBeLessThanOrEqual(own[0]?.resident ?? 0);
  });

  it('is read per thread, after the collection of its garbage', async () => {
    const code = `
      const { Worker, isMainThread } = require('node:worker_threads');
      if (isMainThread) new Worker(__filename, { env: { AWS_LAMBDA_FUNCTION_NAME: 'run' } });
      let garbage = Array.from({ length: 40 }, () => new Array(1e5).fill(1));
      const kept = Array.from({ length: 10 }, () => new Array(1e5).fill(1));
      setTimeout(() => { garbage = undefined; console.log('ready'); }, 100);
      setInterval(() => kept, 1000);`;
    const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-memory-'));
    writeFileSync(join(folder, 'threads.cjs'), code);
    const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', join(folder, 'threads.cjs')]);
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += String(text)));
    const areReady = () => printed.match(/^ready$/gm)?.length === 2;
    const address = await eventually('both threads are ready', () =>
      areReady() ? /ws:\/\/\S+/.exec(printed)?.[0] : undefined,
    );
    const inspector = await openInspector(address);
    const heaps = await collectHeaps(inspector);
    inspector.close();
    child.kill();
    rmSync(folder, { recursive: true });
    expect(heaps.map(({ name }) => name)).toEqual(['main', 'run']);
    for (const { used } of heaps) {
      expect(used).toBeGreaterThan(8 * MB);
      expect(used).toBeLessThan(20 * MB);
    }
  });

  it('is beside the size of its folder, with all subfolders', () => {
    expect(sizeOfFolder(import.meta.dirname)).toBeGreaterThan(0.01);
    expect(sizeOfFolder(import.meta.dirname)).toBeLessThan(1);
  });

  it('is beside the size of its folder without the compile cache', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-memory-'));
    for (const name of ['logs', 'compile-cache']) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'file'), 'x'.repeat(MB));
    }
    expect(sizeOfFolder(folder)).toBeLessThan(1.5);
    rmSync(folder, { recursive: true });
  });
});
