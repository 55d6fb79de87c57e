/** `npm run bench:calls` as a process of its own, which ends with the test file that started it. */
import { execFile } from 'node:child_process';
import { afterAll } from '@jest/globals';

export interface Ended {
  readonly code: number | string | undefined;
  readonly printed: string;
}

/** Call it once, where the tests are declared. @returns a function that runs the command with flags */
export function useBenchCalls(): (...args: readonly string[]) => Promise<Ended> {
  const running = new Set<ReturnType<typeof execFile>>();
  afterAll(() => {
    for (const child of running) child.kill('SIGINT');
  });
  return (...args) => {
    const { promise, resolve } = Promise.withResolvers<Ended>();
    const child = execFile(process.execPath, ['test/bench/calls/main.ts', ...args], (error, stdout, stderr) => {
      running.delete(child);
      resolve({ code: error ? (error.code ?? undefined) : 0, printed: stdout + stderr });
    });
    running.add(child);
    return promise;
  };
}
