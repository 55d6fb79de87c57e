/** A log file with one line of JSON for each event. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { LocalError } from '../local-error.ts';

export interface LineLog<Line extends object> {
  write(line: Line): void;
  /** Resolves when all lines are in the file. */
  close(): Promise<void>;
}

/**
 * Opens a log.
 * @param subject describes the file in a sentence, such as `The call log`
 * @throws LocalError if the file cannot be written
 */
export async function openLineLog<Line extends object>(file: string, subject: string): Promise<LineLog<Line>> {
  const stream = createWriteStream(file, { flags: 'a', mode: 0o600 });
  await once(stream, 'open').catch((error: Error) => {
    throw new LocalError(`${subject} cannot be written: ${error.message}.`);
  });
  return {
    write: (line) => stream.write(`${JSON.stringify(line)}\n`),
    close() {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      stream.once('error', reject).end(resolve);
      return promise;
    },
  };
}
