/** The types of a handler, which the author of a worker writes. A handler gets a job and returns its output. */

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

/** Address and credentials of the client's own storage. They are secrets: do not log them. */
export interface S3Config {
  readonly accessId?: string;
  readonly accessSecret?: string;
  readonly bucketName?: string;
  readonly endpointUrl?: string;
  /** Any other field that the client has sent. */
  readonly [field: string]: unknown;
}

export interface WorkerJob {
  readonly id: string;
  /** 1 for the first attempt; higher if an earlier worker was lost, or if a client retried the job. */
  readonly attempt: number;
  /** The job's input, parsed. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The job's input as the client wrote it: numbers of any size, -0 and escapes are preserved. */
  readonly inputText: string;
  /** The `s3Config` of the client's request, for output that the handler stores in the client's storage. */
  readonly s3Config?: S3Config;
  /** The header `traceparent` of the client's request (W3C Trace Context), if it had a valid one. */
  readonly traceparent?: string;
  /**
   * Aborts when the job was cancelled or has timed out. If the handler returns soon after, its process and loaded
   * models are kept. Otherwise the process and all its child processes are killed.
   */
  readonly signal: AbortSignal;
  /**
   * Streams a part of the output: any JSON value, or `rawJson(text)`, of up to 20 MB. Resolves when the agent has
   * the chunk and will store it. Chunks are stored in the order of the calls. If the agent does not accept a chunk,
   * the job fails, even if the call was not awaited.
   */
  chunk(output: unknown, metrics?: ChunkMetrics): Promise<void>;
  /**
   * Sets the progress that `/status` shows: any JSON value, or `rawJson(text)`. The value is shown as the
   * output until the job has one. Resolves when clients can read the value, and also if it cannot be sent, which
   * does not fail the job.
   */
  progress(output: unknown): Promise<void>;
  /** Replaces the worker as soon as this job and the other jobs of the worker have ended. */
  replaceWorker(): void;
}

export interface ServeOptions {
  /**
   * Whether the output of a job is the array of all its chunks, if the handler is a generator.
   * @default false: the output is `[]`
   */
  readonly aggregateStream?: boolean;
}

/**
 * A handler returns any JSON value, or `rawJson(text)`. If it returns nothing, the job has no output. A generator
 * streams the values that it yields as chunks. Its output is the value that it returns, or `[]` if it returns
 * nothing.
 */
export type Handler = (job: WorkerJob) => unknown;

const RAW = Symbol('raw JSON');

/** Creates an output from a JSON string, which is passed on without being parsed. */
export const rawJson = (text: string): object => ({ [RAW]: text });

/**
 * Returns a result as a JSON string.
 * @throws if the result is not a JSON value, such as a BigInt
 */
export function outputText(result: unknown): string | undefined {
  if (typeof result === 'object' && result !== null && RAW in result) return String(result[RAW]);
  return JSON.stringify(result);
}
