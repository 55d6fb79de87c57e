/** Runs a handler and sends the chunks that it streams to the agent. */
import { jsonText } from '../../core/json/json.ts';
import { type ChunkMetrics, type Handler, outputText, type ServeOptions, type WorkerJob } from './handler.ts';

export interface ChunkSender {
  /** Sends a chunk after all earlier chunks. */
  send(output: unknown, metrics?: ChunkMetrics): Promise<void>;
  /** Resolves when the agent has all chunks, or rejects with the reason why it does not have one. */
  all(): Promise<void>;
}

/**
 * Sends the chunks of a job in their order.
 * @param post sends the body of one `job-stream` call to the agent
 */
export function createChunkSender(post: (body: string) => Promise<void>): ChunkSender {
  let last: Promise<void> = Promise.resolve();
  return {
    send(output, metrics) {
      const body = jsonText({ output: outputText(output) ?? 'null', metrics: metrics && JSON.stringify(metrics) });
      last = last.then(() => post(body));
      // If the handler does not await the chunk, its failure is reported at the end of the job.
      last.catch(() => undefined);
      return last;
    },
    all: () => last,
  };
}

type Stream = AsyncGenerator<unknown, unknown, void>;

const isStream = (result: unknown): result is Stream =>
  typeof result === 'object' && result !== null && 'next' in result && Symbol.asyncIterator in result;

async function outputOfStream(stream: Stream, { chunk, signal }: WorkerJob, aggregate: boolean): Promise<string> {
  const sent: string[] = [];
  try {
    for (;;) {
      const { done, value } = await stream.next();
      if (done && value !== undefined) return outputText(value) ?? 'null';
      if (done) return `[${sent.join(',')}]`;
      signal.throwIfAborted();
      if (aggregate) sent.push(outputText(value) ?? 'null');
      await chunk(value);
    }
  } finally {
    await stream.return(undefined);
  }
}

/**
 * Runs the handler and streams the values that it yields.
 * @returns its output as a JSON string, if it has one
 */
export async function outputOf(
  handler: Handler,
  job: WorkerJob,
  { aggregateStream = false }: ServeOptions,
): Promise<string | undefined> {
  const result = await handler(job);
  return isStream(result) ? outputOfStream(result, job, aggregateStream) : outputText(result);
}
