/** Runs files of `samples/` as `npm test` runs test files. */
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { TIMELINE } from './timeline.ts';

export interface SampleRun {
  readonly pid: number;
  /** The folder for the temporary files of the run and the results of samples. */
  readonly folder: string;
  readonly log: string;
  readonly ended: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>;
}

/**
 * @param args options of Jest, and patterns of paths, such as `samples/one`: `one` would match every file in a clone
 * @param folder folder of an earlier run, which this run follows
 */
export function startSamples(
  args: readonly string[],
  folder: string = mkdtempSync(join(tmpdir(), 'samples-')),
): SampleRun {
  const log = join(folder, 'sample.log');
  const { [TIMELINE]: _, FORCE_COLOR, ...env } = process.env;
  const jest = ['node_modules/jest/bin/jest.js', '--config', resolve('test/runner/samples/jest.config.mjs')];
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...jest, ...args], {
    // If CI is set, Jest prints the code of a failed test in colours, even to a pipe.
    env: { ...env, NO_COLOR: '1', TMPDIR: folder, SAMPLE_LOG: log },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid === undefined) throw new Error('Jest has not started.');
  const code = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const ended = Promise.all([code, text(child.stdout), text(child.stderr)]);
  return { pid: child.pid, folder, log, ended: ended.then(([code, out, err]) => ({ code, out, err })) };
}
