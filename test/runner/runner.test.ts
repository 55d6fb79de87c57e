/** Runs the files of `samples/`, each run in a separate process. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { isAlive, signal } from './processes.ts';
import { startSamples } from './sample-run.ts';
import type { Traces } from './samples/traces.ts';

type Ended = Awaited<ReturnType<typeof startSamples>['ended']>;

const linesOf = (text: string) => text.trimEnd().split('\n');
/** Folders of runs that were kept. */
const keptBy = (folder: string) => readdirSync(join(folder, 'gpu-endpoints-test-runs'));

/** Returns the part of the report that is about one test of a sample. */
function partAbout(report: string, sample: string, test: string): string {
  const begin = `test/runner/samples/${sample}.sample.ts\n  test:  ${test}\n`;
  const part = report.split('FAILED ').find((text) => text.startsWith(begin));
  if (part === undefined) throw new Error(`The report does not name "${test}":\n${report}`);
  return part;
}

describe('a run with failures', () => {
  let run: Ended;
  let kept: string;

  beforeAll(async () => {
    // The run has two processes, and one of them is killed.
    const { ended, folder } = startSamples(['samples/red', 'samples/unloadable', 'samples/killed', '--maxWorkers=2']);
    run = await ended;
    const [name = ''] = keptBy(folder);
    kept = join(folder, 'gpu-endpoints-test-runs', name);
  });

  it('exits with 1 and prints the counts', () => {
    expect(run.code).toBe(1);
    expect(linesOf(run.out).at(-1)).toBe('1 passed, 6 failed');
  });

  it.each([
    ['a red file compares', 'expect(received).toEqual(expected) // deep equality'],
    ['a red file waits', 'Not within 60000 ms: the job is COMPLETED.'],
    ['a red file takes too long', 'thrown: "Exceeded timeout of 50 ms for a test.'],
  ])('reports the expectation, the seed, and the folder of the logs for "%s"', (name, expected) => {
    const part = partAbout(run.out, 'red', name);
    expect(linesOf(part)[2]).toBe(`  error: ${expected}`);
    expect(part).toContain('\n  seeds: SAMPLE_SEED=7 npm test -- test/runner/samples/red.sample.ts\n');
    expect(part).toContain(`\n  logs:  ${join(kept, 'runner-samples-red')}\n`);
  });

  it('cuts a long line of an error beside the name of the test', () => {
    expect(linesOf(partAbout(run.out, 'red', 'a red file fails with a long line'))[2]).toMatch(
      /^ {2}error: The output is x{386} \.\.\.$/,
    );
  });

  it('prints the line of the test file that failed, and no line of the runner', () => {
    expect(partAbout(run.out, 'red', 'a red file takes too long')).toContain("it('takes too long'");
    expect(run.out).not.toContain('jest-globals');
  });

  it('prints the error and the logs of a file that cannot be loaded', () => {
    const part = partAbout(run.out, 'unloadable', '(the file cannot be run)');
    expect(part).toContain('\n  error: There is no such declaration.\n');
    expect(part).toContain(`\n  logs:  ${join(kept, 'runner-samples-unloadable')}\n`);
  });

  it('prints the error and the logs of a file whose process was killed', () => {
    const part = partAbout(run.out, 'killed', '(the file cannot be run)');
    expect(part).toMatch(/\n {2}error: .*signal=SIGKILL/);
    expect(part).toContain(`\n  logs:  ${join(kept, 'runner-samples-killed')}\n`);
  });

  it('keeps the files that its tests have written', () => {
    expect(readFileSync(join(kept, 'runner-samples-red', 'service.log'), 'utf8')).toBe('what a service has logged');
    expect(existsSync(join(kept, 'runner-samples-unloadable', 'begun.log'))).toBe(true);
  });

  it('prints the console output of a failed file', () => {
    expect(run.out).toContain('printed with seed 7');
    expect(run.out).toContain('printed before it fails');
  });
});

describe('a run without failures', () => {
  let run: Ended;
  let folder: string;
  let traces: Traces[];

  beforeAll(async () => {
    const started = startSamples(['samples/one', 'samples/other']);
    ({ folder } = started);
    run = await started.ended;
    traces = linesOf(readFileSync(started.log, 'utf8')).map((line) => JSON.parse(line) as Traces);
  });

  it('fits on a screen, exits with 0, prints the counts, and prints no console output of its files', () => {
    expect(run).toMatchObject({ code: 0, err: '' });
    const lines = linesOf(run.out);
    expect(lines.length).toBeLessThanOrEqual(25);
    expect(lines.at(-1)).toBe('4 passed, 0 failed');
    expect(run.out).not.toContain('printed by a green file');
  });

  it('removes its folder', () => {
    expect(keptBy(folder)).toEqual([]);
  });

  it('resets the process after each file, so that the next file starts with the same state', () => {
    const [one, other] = traces;
    expect(one?.pid).toBe(other?.pid);
    const found = { pid: one?.pid, uses: 1, isClockFake: false, isWriteSpied: false };
    const folder = expect.stringMatching(/^runner-samples-(one|other)$/);
    expect(traces).toEqual([
      { ...found, folder, isPackageKnown: false },
      { ...found, folder, isPackageKnown: true },
    ]);
    expect(one?.folder).not.toBe(other?.folder);
  });
});

describe('a run with a test that fails before it stops its processes', () => {
  it('kills the processes and reports their number', async () => {
    const { ended, log } = startSamples(['samples/leaving']);
    const { code, err } = await ended;
    expect(code).toBe(1);
    expect(err).toContain('Killed 1 process that a test had left running.\n');
    expect(isAlive(Number(readFileSync(log, 'utf8')))).toBe(false);
  });
});

describe('a run that was killed', () => {
  it('leaves processes that the next run kills, and a folder that the next run removes', async () => {
    const killed = startSamples(['samples/aborted']);
    while (!existsSync(killed.log) || readFileSync(killed.log, 'utf8') === '') await delay(50);
    const left = Number(readFileSync(killed.log, 'utf8'));
    signal(killed.pid, 'SIGKILL');
    await killed.ended;
    expect(isAlive(left)).toBe(true);
    expect(keptBy(killed.folder)).toHaveLength(1);

    const { code, out, err } = await startSamples(['samples/one', '-t', 'does nothing'], killed.folder).ended;
    expect(err).toMatch(/^Killed \d+ processes that an aborted run of the tests had left running\.\n$/);
    expect(isAlive(left)).toBe(false);
    expect(keptBy(killed.folder)).toEqual([]);

    // The pattern selects one of the two tests.
    expect(code).toBe(0);
    expect(linesOf(out).at(-1)).toBe('1 passed, 0 failed, 1 skipped');
  });
});
