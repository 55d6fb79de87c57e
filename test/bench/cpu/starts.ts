/** Measures how long `npm start` takes until it is ready. */
import { rmSync } from 'node:fs';
import { newStateDir, startService } from '../service.ts';

export interface Starts {
  /** Milliseconds of starts with an empty state directory. */
  readonly first: readonly number[];
  /** Milliseconds of starts with the state directory of the start before. */
  readonly second: readonly number[];
}

async function timeStart(stateDir: string): Promise<number> {
  const service = await startService(undefined, { stateDir, isLogged: false });
  await service.stop();
  return service.readyAfter;
}

export async function timeStarts(number: number): Promise<Starts> {
  const [first, second]: [number[], number[]] = [[], []];
  for (let n = 0; n < number; n += 1) {
    const stateDir = newStateDir();
    try {
      first.push(await timeStart(stateDir));
      second.push(await timeStart(stateDir));
    } finally {
      rmSync(stateDir, { recursive: true, force: true });
    }
  }
  return { first, second };
}
