/**
 * Deletes queue messages that are no longer needed, several with one call of SQS. No job waits for a deletion: if it
 * fails, or the agent dies first, a worker receives the message after its visibility timeout and deletes it then.
 */
import type { JobQueues, ReceivedMessage } from '../../core/jobs/queues.ts';
import { MESSAGE_BATCH } from '../../core/limits.ts';
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

/** The collected messages of one queue, while its window is open. */
interface Window {
  collected: Collected[];
  timer: NodeJS.Timeout;
}

export function createMessageDrops(jobQueues: Pick<JobQueues, 'drop' | 'dropBatch'>, log: AgentLog): MessageDrops {
  const windows = new Map<string, Window>();
  const deletions = new Set<Promise<void>>();

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

  function end(queueUrl: string): void {
    const collected = windows.get(queueUrl)?.collected ?? [];
    windows.delete(queueUrl);
    if (collected.length === 0) return;
    open(queueUrl);
    remove(collected);
  }

  function open(queueUrl: string): void {
    // Unreferenced, because the process must not wait for a window without messages.
    windows.set(queueUrl, { collected: [], timer: setTimeout(end, WINDOW, queueUrl).unref() });
  }

  return {
    add(message, jobId) {
      const window = windows.get(message.queueUrl);
      if (!window) {
        open(message.queueUrl);
        return remove([{ message, jobId }]);
      }
      window.collected.push({ message, jobId });
      if (window.collected.length === MESSAGE_BATCH) remove(window.collected.splice(0));
    },

    async flush() {
      for (const { collected, timer } of windows.values()) {
        clearTimeout(timer);
        remove(collected);
      }
      windows.clear();
      await Promise.all(deletions);
    },
  };
}
