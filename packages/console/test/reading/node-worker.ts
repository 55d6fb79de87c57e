/** Starts the worker of the console as a thread of Node.js. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Answer, Ask, Open } from '../../reading/queue.ts';

export interface NodeWorkers {
  readonly open: Open;
  /** The requests that the page has sent to workers. */
  readonly asked: readonly Ask[];
  /** Ends the worker that runs. */
  stop(): Promise<void>;
}

export function nodeWorkers(): NodeWorkers {
  const asked: Ask[] = [];
  let last: Worker | undefined;
  return {
    asked,
    open(onAnswer, onFailure) {
      const worker = new Worker(join(import.meta.dirname, 'node-entry.ts'));
      last = worker;
      worker.on('message', (answer: Answer) => onAnswer(answer));
      worker.on('error', ({ message }) => onFailure(message));
      return {
        post(ask) {
          asked.push(ask);
          worker.postMessage(ask);
        },
        stop: () => void worker.terminate(),
      };
    },
    stop: async () => void (await last?.terminate()),
  };
}
