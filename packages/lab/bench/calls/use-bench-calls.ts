/**
 * Runs `npm run bench -w packages/lab -- calls` as a separate process, which is stopped at the end of the test file.
 */
import { execFile } from 'node:child_process';
import { afterAll } from '@jest/globals';

export interface Ended {
  readonly code: number | string | undefined;
  readonly printed: string;
}

/**
 * Must be called once per file, outside of the tests.
 * @returns a function that runs the command with flags
 */
export function useBenchCalls(): (...args: readonly string[]) => Promise<Ended> {
  const running = new Set<ReturnType<typeof execFile>>();
  afterAll(() => {
    for (const child of running) child.kill('SIGINT');
  });
  return (...args) => {
    const { promise, resolve } = Promise.withResolvers<Ended>();
    const child = execFile(
      process.execPath,
      ['packages/lab/bench/main.ts', 'calls', ...args],
      (error, stdout, stderr) => {
        running.delete(child);
        resolve({ code: error ? (error.code ?? undefined) : 0, printed: stdout + stderr });
      },
    );
    running.add(child);
    return promise;
  };
}
