/** Measures how long `npm start` takes until it is ready. */
import { rmSync } from 'node:fs';
import { newPort, newStateDir, startService } from '../../../../test/support/service.ts';

export interface Starts {
  /** Milliseconds of starts with an empty state directory. */
  readonly first: readonly number[];
  /** Milliseconds of starts with the state directory of the start before. */
  readonly second: readonly number[];
}

async function timeStart(stateDir: string, port: number): Promise<number> {
  const environment = { PORT: String(port) };
  const service = await startService(undefined, { stateDir, isLogged: false, environment });
  await service.stop();
  return service.readyAfter;
}

export async function timeStarts(number: number): Promise<Starts> {
  const [first, second]: [number[], number[]] = [[], []];
  for (let n = 0; n < number; n += 1) {
    const stateDir = newStateDir();
    // A user starts again on the same port. Another port changes the configuration of the console.
    const port = await newPort();
    try {
      first.push(await timeStart(stateDir, port));
      second.push(await timeStart(stateDir, port));
    } finally {
      rmSync(stateDir, { recursive: true, force: true });
    }
  }
  return { first, second };
}
