import { setImmediate as turn } from 'node:timers/promises';

/**
 * Waits for the work.
 * @returns its result, and how often the process could do other work in the meantime
 */
export async function withTurns<Result>(work: Promise<Result>): Promise<{ result: Result; turns: number }> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  let turns = 0;
  for (; !isOver; turns += 1) await turn();
  return { result: await work, turns };
}
