/** Receives the messages of a queue without those that a purge has left behind. */
import type { Endpoints } from '../../core/endpoints/store.ts';
import { isDead, type JobQueues, type ReceivedMessage } from '../../core/jobs/queues.ts';
import type { Jobs } from '../../core/jobs/store.ts';

export interface LiveMessages {
  /** Waits up to `wait` ms for a message, which then stays hidden from other workers for `hidden` ms. */
  receive(queueUrl: string, wait: number, hidden: number, signal: AbortSignal): Promise<ReceivedMessage | undefined>;
}

/** So many batches are received at once while all are dead. */
const BATCHES = 5;

/**
 * One message is received at a time, because others may be for other workers. Once it is a dead one there may be
 * thousands behind it: then they are received and dropped by the batch, and by several at once if a whole one is dead,
 * until one is alive or none is left.
 * @param giveBack makes a message visible to other workers again
 */
export function createLiveMessages(
  ports: { readonly endpoints: Endpoints; readonly jobQueues: JobQueues; readonly jobs: Jobs },
  giveBack: (message: ReceivedMessage) => Promise<void>,
): LiveMessages {
  /** Drops the dead ones. @returns the others */
  async function living(messages: readonly ReceivedMessage[]): Promise<ReceivedMessage[]> {
    const dead = await Promise.all(messages.map((message) => isDead(ports, message)));
    await ports.jobQueues.dropBatch(messages.filter((_, n) => dead[n]));
    return messages.filter((_, n) => !dead[n]);
  }

  return {
    async receive(queueUrl, wait, hidden, signal) {
      const received = await ports.jobQueues.receive(queueUrl, wait, hidden, signal);
      if (!received || !(await isDead(ports, received))) return received;
      await ports.jobQueues.drop(received);
      for (let atOnce = 1; !signal.aborted; atOnce = BATCHES) {
        const batches = await Promise.all(
          Array.from({ length: atOnce }, async () => {
            const batch = await ports.jobQueues.receiveBatch(queueUrl, hidden);
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
