/**
 * Deletes queue messages that are no longer needed, several with one call of SQS. No job waits for a deletion: if it
 * fails, or the agent dies first, a worker receives the message after its visibility timeout and deletes it then.
 */
import type { Pause } from '../../core/clock.ts';
import { type JobQueues, MESSAGE_BATCH, type ReceivedMessage } from '../../core/jobs/queues.ts';
import type { AgentLog } from './ports.ts';

/** Milliseconds after a deletion within which further messages are collected for the next one. */
const WINDOW = 200;

export interface MessageDrops {
  /**
   * Deletes the message: immediately if no message was deleted within `WINDOW`, otherwise together with the other
   * messages of its queue. Logs a failure.
   */
  add(message: ReceivedMessage, jobId: string): void;
  /** Deletes the collected messages now, and waits until all deletions have ended. */
  flush(): Promise<void>;
}

interface Collected {
  readonly message: ReceivedMessage;
  readonly jobId: string;
}

export interface MessageDropsOptions {
  readonly jobQueues: Pick<JobQueues, 'drop' | 'dropBatch'>;
  readonly log: AgentLog;
  readonly pause: Pause;
}

export function createMessageDrops({ jobQueues, log, pause }: MessageDropsOptions): MessageDrops {
  /** The collected messages of each queue whose window is open. */
  const windows = new Map<string, Collected[]>();
  const deletions = new Set<Promise<void>>();
  const ending = new AbortController();

  function remove(collected: readonly Collected[]): void {
    const [first] = collected;
    if (!first) return;
    const messages = collected.map(({ message }) => message);
    const deletion = (messages.length === 1 ? jobQueues.drop(first.message) : jobQueues.dropBatch(messages))
      .catch((error: unknown) => {
        for (const { jobId } of collected) log.error('A message could not be deleted.', { error, jobId });
      })
      .finally(() => deletions.delete(deletion));
    deletions.add(deletion);
  }

  /** Opens a window, and another one after it if messages were collected. */
  async function open(queueUrl: string): Promise<void> {
    for (let collected: Collected[] = []; ; collected = []) {
      windows.set(queueUrl, collected);
      await pause(WINDOW, ending.signal);
      if (collected.length === 0) break;
      remove(collected);
    }
    windows.delete(queueUrl);
  }

  return {
    add(message, jobId) {
      const collected = windows.get(message.queueUrl);
      if (!collected) {
        void open(message.queueUrl);
        return remove([{ message, jobId }]);
      }
      collected.push({ message, jobId });
      if (collected.length === MESSAGE_BATCH) remove(collected.splice(0));
    },

    async flush() {
      ending.abort();
      for (const collected of windows.values()) remove(collected.splice(0));
      await Promise.all(deletions);
    },
  };
}
