/** One line of JSON per call, for whoever counts or searches them. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { LocalError } from '../local-error.ts';
import type { ItemKey } from './described.ts';
import type { Measured } from './measure.ts';

export interface LoggedCall extends Measured {
  /** ISO 8601, of the start. */
  readonly time: string;
  /** Absent if nobody knows who called. */
  readonly role?: string;
  readonly service?: string;
  readonly operation?: string;
  /** ARNs, each once. */
  readonly resources?: readonly string[];
  /** Items that the request names. */
  readonly keys?: readonly ItemKey[];
  /** HTTP status of the answer; 0 if the caller went away before. */
  readonly status: number;
  readonly ms: number;
  /** Bytes of the bodies. */
  readonly requestBytes: number;
  readonly responseBytes: number;
}

export interface CallLog {
  write(call: LoggedCall): void;
  /** Resolves when everything is in the file. */
  close(): Promise<void>;
}

/** @throws LocalError if the file cannot be written */
export async function openCallLog(file: string): Promise<CallLog> {
  const stream = createWriteStream(file, { flags: 'a', mode: 0o600 });
  await once(stream, 'open').catch((error: Error) => {
    throw new LocalError(`The call log cannot be written: ${error.message}.`);
  });
  return {
    write: (call) => stream.write(`${JSON.stringify(call)}\n`),
    close() {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      stream.once('error', reject).end(resolve);
      return promise;
    },
  };
}
