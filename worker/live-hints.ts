/** Receives the hints of a queue without those that a purge has left behind. */
import { isDead } from '../core/jobs/hint.ts';
import type { ReceivedHint, World } from '../core/world.ts';

export interface LiveHints {
  /** Waits up to `wait` ms for a hint, which then stays hidden from other workers for `hidden` ms. */
  receive(queueUrl: string, wait: number, hidden: number, signal: AbortSignal): Promise<ReceivedHint | undefined>;
}

/** So many batches are received at once while all are dead. */
const BATCHES = 5;

/**
 * One hint is received at a time, because others may be for other workers. Once it is a dead one there may be thousands
 * behind it: then they are received and dropped by the batch, and by several at once if a whole one is dead, until one is
 * alive or none is left.
 * @param giveBack makes a hint visible to other workers again
 */
export function createLiveHints(
  world: Pick<World, 'endpoints' | 'hints' | 'jobs'>,
  giveBack: (hint: ReceivedHint) => Promise<void>,
): LiveHints {
  /** Drops the dead ones. @returns the others */
  async function living(hints: readonly ReceivedHint[]): Promise<ReceivedHint[]> {
    const dead = await Promise.all(hints.map((hint) => isDead(world, hint)));
    await world.hints.dropBatch(hints.filter((_, n) => dead[n]));
    return hints.filter((_, n) => !dead[n]);
  }

  return {
    async receive(queueUrl, wait, hidden, signal) {
      const received = await world.hints.receive(queueUrl, wait, hidden, signal);
      if (!received || !(await isDead(world, received))) return received;
      await world.hints.drop(received);
      for (let atOnce = 1; !signal.aborted; atOnce = BATCHES) {
        const batches = await Promise.all(
          Array.from({ length: atOnce }, async () => {
            const batch = await world.hints.receiveBatch(queueUrl, hidden);
            return { isEmpty: batch.length === 0, alive: await living(batch) };
          }),
        );
        const [mine, ...others] = batches.flatMap(({ alive }) => alive);
        await Promise.all(others.map(giveBack));
        if (mine || batches.every(({ isEmpty }) => isEmpty)) return mine;
      }
      return undefined;
    },
  };
}
