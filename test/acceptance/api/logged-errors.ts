/** Reads the errors that functions and agents have logged. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

interface LogLine {
  readonly level?: string;
  readonly message?: string;
  readonly error?: { readonly name?: string; readonly message?: string };
}

/** Names of the errors that an SDK throws if every attempt of a call meets a fault. */
const OF_FAULTS = [
  'TimeoutError',
  'ProvisionedThroughputExceededException',
  'RequestThrottled',
  'SlowDown',
  'ThrottlingException',
];

function linesOf(file: string): LogLine[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line) => (line.startsWith('{"') && line.endsWith('}') ? [JSON.parse(line) as LogLine] : []));
}

/** Returns the logged errors that are not injected faults, such as a fault that was mistaken for another error. */
export function unexplainedErrors(stateDir: string): string[] {
  return globSync(join(stateDir, 'logs', '{Platform,Management,Endpoint}-*.log')).flatMap((file) =>
    linesOf(file)
      .filter(({ level, error }) => level === 'ERROR' && !OF_FAULTS.includes(error?.name ?? ''))
      .map(({ message, error }) => `${basename(file)}: ${message} ${error?.name}: ${error?.message}`),
  );
}
