/** Writes the output of a container to a file, and line by line to its log stream. */
import type { ChildProcess } from 'node:child_process';
import { eachLine } from '../logs/lines.ts';
import { openBoundedLog } from '../state/bounded-log.ts';

/**
 * Writes the output of the process to the file.
 * @param print receives each line as it is printed
 */
export function keepOutput(child: ChildProcess, file: string, print: (line: string) => void): void {
  const log = openBoundedLog(file);
  for (const output of [child.stdout, child.stderr]) {
    output?.on('data', (chunk: Buffer) => log.write(chunk));
    if (output) eachLine(output, print);
  }
  child.once('close', () => log.close());
}
