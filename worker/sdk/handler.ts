/** The types of a handler, which the author of a worker writes: it gets a job and returns its output. */

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
  /** Any other field that the client sent. */
  readonly [field: string]: unknown;
}

export interface WorkerJob {
  readonly id: string;
  /** 1 on the first start; more if the worker of an earlier start was lost. */
  readonly attempt: number;
  /** The job's input, parsed. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The job's input as the client wrote it, with its numbers of any size, -0 and escapes. */
  readonly inputText: string;
  /** The `s3Config` of the client's request, for output that the handler stores with the client. */
  readonly s3Config?: S3Config;
  /**
   * Aborts when the job was cancelled or ran out of time. A handler that ends soon after keeps its process and the
   * models in it; otherwise the process and all that it started are killed.
   */
  readonly signal: AbortSignal;
  /**
   * Streams a part of the output: any JSON value, or `rawJson(text)`, of up to 20 MB. Resolves when clients can read
   * it; chunks are stored in the order of the calls. If a chunk cannot be stored the job fails, whether or not it is
   * awaited.
   */
  chunk(output: unknown, metrics?: ChunkMetrics): Promise<void>;
  /**
   * Shows readers of `/status` how far the job is: any JSON value, or `rawJson(text)`. It is shown as the output until
   * the job has one. Resolves when clients can read it, and also when it cannot be sent: that does not fail the job.
   */
  progress(output: unknown): Promise<void>;
  /** Replaces the worker by another one as soon as this job and those beside it have ended. */
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

/** Makes an output of JSON text, which is passed on without being parsed. */
export const rawJson = (text: string): object => ({ [RAW]: text });

/** Returns a result as JSON text. @throws if it is no JSON value, such as a BigInt */
export function outputText(result: unknown): string | undefined {
  if (typeof result === 'object' && result !== null && RAW in result) return String(result[RAW]);
  return JSON.stringify(result);
}
