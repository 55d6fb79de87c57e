/** What the author of a worker writes: a handler, which is given a job and returns its output. */

export interface WorkerJob {
  readonly id: string;
  /** 1 on the first start; more if the worker of an earlier one was lost. */
  readonly attempt: number;
  /** The job's input, parsed. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The job's input as the client wrote it: numbers of any size, -0 and escapes are still there. */
  readonly inputText: string;
  /**
   * Aborts when the job was cancelled or ran out of time. A handler that ends soon after keeps its process, with what
   * is loaded in it; of one that does not, the process and all that it started are killed.
   */
  readonly signal: AbortSignal;
}

/** A handler's result is any JSON value, or `rawJson(text)`; nothing at all ends the job without output. */
export type Handler = (job: WorkerJob) => unknown;

const RAW = Symbol('raw JSON');

/** An output that is JSON text already and shall not be parsed. */
export const rawJson = (text: string): object => ({ [RAW]: text });

/** @throws if the result is no JSON value, such as a BigInt */
export function outputText(result: unknown): string | undefined {
  if (typeof result === 'object' && result !== null && RAW in result) return String(result[RAW]);
  return JSON.stringify(result);
}
