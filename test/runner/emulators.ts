/** Starts one set of emulators for all test files of a Jest process, because a set takes a second to start. */
import { mkdirSync } from 'node:fs';
import { type Emulators, startEmulators } from '../../packages/emulator/emulators/emulators.ts';
import { inRunFolder } from './run-folder.ts';

export type SharedEmulators = Pick<Emulators, 'dynamodbUrl' | 'sqsUrl' | 's3Url'>;

const variableOf = (worker: number | string) => `TEST_EMULATORS_${worker}`;

/**
 * Starts a set for each Jest process.
 * @returns a function that stops all sets
 */
export async function startSharedEmulators(processes: number): Promise<() => Promise<void>> {
  const numbers = Array.from({ length: processes }, (_, n) => n + 1);
  const sets = await Promise.all(
    numbers.map(async (number) => {
      const folder = inRunFolder(`emulators-${number}`);
      mkdirSync(folder);
      const emulators = await startEmulators(folder);
      const { dynamodbUrl, sqsUrl, s3Url } = emulators;
      const addresses: SharedEmulators = { dynamodbUrl, sqsUrl, s3Url };
      process.env[variableOf(number)] = JSON.stringify(addresses);
      return emulators;
    }),
  );
  return async () => {
    await Promise.all(sets.map((emulators) => emulators.stop()));
  };
}

/** Returns the emulators of this process. */
export function sharedEmulators(): SharedEmulators {
  const addresses = process.env[variableOf(process.env.JEST_WORKER_ID ?? '')];
  if (!addresses) throw new Error('No emulators were started for this process: use `npm test`.');
  return JSON.parse(addresses) as SharedEmulators;
}
