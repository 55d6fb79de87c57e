/** What the author of a worker writes: a handler, which is given a job and returns its output. */

/** Metrics of a chunk. The agent drops any other field and logs its name; the service sets `stream_index`. */
export interface ChunkMetrics {
  readonly avg_gen_throughput?: number;
  readonly avg_prompt_throughput?: number;
  readonly cpu_kv_cache_usage?: number;
  readonly gpu_kv_cache_usage?: number;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly pending?: number;
  readonly running?: number;
  readonly swapped?: number;
  /** At most 200 characters. */
  readonly scenario?: string;
}

/** How to reach the client's own storage. Whoever logs it gives its secrets away. */
export interface S3Config {
  readonly accessId?: string;
  readonly accessSecret?: string;
  readonly bucketName?: string;
  readonly endpointUrl?: string;
  /** What else the client sent. */
  readonly [field: string]: unknown;
}

export interface WorkerJob {
  readonly id: string;
  /** 1 on the first start; more if the worker of an earlier one was lost. */
  readonly attempt: number;
  /** The job's input, parsed. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The job's input as the client wrote it: numbers of any size, -0 and escapes are still there. */
  readonly inputText: string;
  /** What the client sent as `s3Config`, for output that the handler stores with the client. */
  readonly s3Config?: S3Config;
  /**
   * Aborts when the job was cancelled or ran out of time. A handler that ends soon after keeps its process, with what
   * is loaded in it; of one that does not, the process and all that it started are killed.
   */
  readonly signal: AbortSignal;
  /**
   * Streams a part of the output: any JSON value, or `rawJson(text)`, of up to 20 MB. Resolves when clients can read it;
   * chunks are stored in the order of the calls. If one cannot be stored the job fails, awaited or not.
   */
  chunk(output: unknown, metrics?: ChunkMetrics): Promise<void>;
  /**
   * Shows readers of `/status` how far the job is: any JSON value, or `rawJson(text)`. It is shown as the output until
   * there is one. Resolves when clients can read it, or when it could not be told: it is no reason to fail a job.
   */
  progress(output: unknown): Promise<void>;
  /** Has the worker replaced by another one as soon as this job and those beside it have ended. */
  replaceWorker(): void;
}

export interface ServeOptions {
  /** Whether the output of a job whose handler is a generator is the array of all its chunks. @default false: `[]` */
  readonly aggregateStream?: boolean;
}

/**
 * A handler's result is any JSON value, or `rawJson(text)`; nothing at all ends the job without output. A generator
 * streams what it yields as chunks; its output is what it returns, and if it returns nothing `[]`.
 */
export type Handler = (job: WorkerJob) => unknown;

const RAW = Symbol('raw JSON');

/** An output that is JSON text already and shall not be parsed. */
export const rawJson = (text: string): object => ({ [RAW]: text });

/** @throws if the result is no JSON value, such as a BigInt */
export function outputText(result: unknown): string | undefined {
  if (typeof result === 'object' && result !== null && RAW in result) return String(result[RAW]);
  return JSON.stringify(result);
}
