/** Written by `npm run console:types` from the OpenAPI document of the interface. */

/**
 * A job as it is. Which members it has depends on its status.
 */
export type JobRecord = InQueueJob | InProgressJob | CompletedJob | FailedJob | CancelledJob | TimedOutJob;

/**
 * All schemas of the interface by name.
 */
export interface Schemas {
  Submission: Submission;
  Policy: Policy;
  S3Config: S3Config;
  Acknowledgement: Acknowledgement;
  JobRecord: JobRecord;
  InQueueJob: InQueueJob;
  InProgressJob: InProgressJob;
  CompletedJob: CompletedJob;
  FailedJob: FailedJob;
  CancelledJob: CancelledJob;
  TimedOutJob: TimedOutJob;
  WebhookDelivery: WebhookDelivery;
  JobSummary: JobSummary;
  LostJob: LostJob;
  Chunk: Chunk;
  Drain: Drain;
  JobList: JobList;
  JobLog: JobLog;
  LogLine: LogLine;
  Metrics: Metrics;
  Health: Health;
  WebhookList: WebhookList;
  FailedWebhook: FailedWebhook;
  Resent: Resent;
  OpenAiError: OpenAiError;
  PurgeResult: PurgeResult;
  Error: Error;
}
/**
 * A job. Unknown members are ignored.
 */
export interface Submission {
  /**
   * Handed to the worker byte for byte.
   */
  input: {};
  policy?: Policy;
  s3Config?: S3Config;
  /**
   * URL that gets a POST with the job record when the job ends.
   */
  webhook?: string;
}
export interface Policy {
  /**
   * Longest run in ms.
   */
  executionTimeout?: number;
  /**
   * Such a job starts no worker.
   */
  lowPriority?: boolean;
  /**
   * Longest wait in the queue in ms.
   */
  ttl?: number;
}
/**
 * A storage for the worker: in no answer. Further members reach it too.
 */
export interface S3Config {
  accessId?: string;
  accessSecret?: string;
  bucketName?: string;
  endpointUrl?: string;
}
export interface Acknowledgement {
  /**
   * Names the job.
   */
  id: string;
  status: 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT';
}
export interface InQueueJob {
  /**
   * Names the job.
   */
  id: string;
  status: 'IN_QUEUE';
  /**
   * How long it has waited, in milliseconds.
   */
  delayTime: number;
  /**
   * How long it has run, in milliseconds; 0 if it never ran.
   */
  executionTime: number;
  /**
   * How often it was started.
   */
  attempts: number;
  /**
   * About how many jobs wait ahead of it, and itself: 1 is next.
   */
  queuePosition: number;
  /**
   * Why it waits.
   */
  waitReason:
    | 'LOW_PRIORITY'
    | 'NO_CAPACITY'
    | 'QUOTA'
    | 'IMAGE_UNAVAILABLE'
    | 'CANNOT_START'
    | 'WORKER_EXITS'
    | 'WORKER_UNHEALTHY'
    | 'WORKER_STARTING'
    | 'WAITING_FOR_CAPACITY'
    | 'SCALING_UP'
    | 'NO_WORKER'
    | 'WORKERS_BUSY';
  /**
   * A sentence, which may change, with what the provider says.
   */
  waitDetail?: string;
  webhook?: WebhookDelivery;
}
/**
 * What has become of the webhook.
 */
export interface WebhookDelivery {
  /**
   * Whether the receiver has acknowledged that the job has ended.
   */
  state: 'PENDING' | 'DELIVERED' | 'FAILED';
  /**
   * How often it was called, since the job ended or since it was sent again.
   */
  attempts: number;
  /**
   * The HTTP status that it answered last.
   */
  lastStatus?: number;
  /**
   * Why the last call was not acknowledged.
   */
  lastError?: string;
}
export interface InProgressJob {
  /**
   * Names the job.
   */
  id: string;
  status: 'IN_PROGRESS';
  /**
   * How long it has waited, in milliseconds.
   */
  delayTime: number;
  /**
   * How long it has run, in milliseconds; 0 if it never ran.
   */
  executionTime: number;
  /**
   * The worker that has it, or had it last.
   */
  workerId: string;
  /**
   * How often it was started.
   */
  attempts: number;
  /**
   * The output of the worker, byte for byte.
   */
  output?: unknown;
  webhook?: WebhookDelivery;
}
export interface CompletedJob {
  /**
   * Names the job.
   */
  id: string;
  status: 'COMPLETED';
  /**
   * How long it has waited, in milliseconds.
   */
  delayTime: number;
  /**
   * How long it has run, in milliseconds; 0 if it never ran.
   */
  executionTime: number;
  /**
   * The worker that has it, or had it last.
   */
  workerId: string;
  /**
   * How often it was started.
   */
  attempts: number;
  /**
   * The output of the worker, byte for byte.
   */
  output: unknown;
  webhook?: WebhookDelivery;
}
export interface FailedJob {
  /**
   * Names the job.
   */
  id: string;
  status: 'FAILED';
  /**
   * How long it has waited, in milliseconds.
   */
  delayTime: number;
  /**
   * How long it has run, in milliseconds; 0 if it never ran.
   */
  executionTime: number;
  /**
   * The worker that has it, or had it last.
   */
  workerId: string;
  /**
   * How often it was started.
   */
  attempts: number;
  /**
   * Why it ended without success.
   */
  error: string;
  /**
   * Which kind of end it is.
   */
  code: 'WORKER_ERROR' | 'WORKER_LOST' | 'OUTPUT_TOO_LARGE';
  /**
   * The output of the worker, byte for byte.
   */
  output?: unknown;
  webhook?: WebhookDelivery;
}
export interface CancelledJob {
  /**
   * Names the job.
   */
  id: string;
  status: 'CANCELLED';
  /**
   * How long it has waited, in milliseconds.
   */
  delayTime: number;
  /**
   * How long it has run, in milliseconds; 0 if it never ran.
   */
  executionTime: number;
  /**
   * How often it was started.
   */
  attempts: number;
  /**
   * Which kind of end it is.
   */
  code: 'CANCELLED' | 'PURGED';
  /**
   * The worker that has it, or had it last.
   */
  workerId?: string;
  webhook?: WebhookDelivery;
}
export interface TimedOutJob {
  /**
   * Names the job.
   */
  id: string;
  status: 'TIMED_OUT';
  /**
   * How long it has waited, in milliseconds.
   */
  delayTime: number;
  /**
   * How long it has run, in milliseconds; 0 if it never ran.
   */
  executionTime: number;
  /**
   * How often it was started.
   */
  attempts: number;
  /**
   * Why it ended without success.
   */
  error: string;
  /**
   * Which kind of end it is.
   */
  code: 'QUEUE_TTL_EXPIRED' | 'EXECUTION_TIMEOUT';
  /**
   * The worker that has it, or had it last.
   */
  workerId?: string;
  webhook?: WebhookDelivery;
}
export interface JobSummary {
  /**
   * Names the job.
   */
  id: string;
  status: 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT';
  /**
   * How long it has waited, in milliseconds.
   */
  delayTime: number;
  /**
   * How long it has run, in milliseconds; 0 if it never ran.
   */
  executionTime: number;
  /**
   * The worker that has it, or had it last.
   */
  workerId?: string;
  /**
   * How often it was started.
   */
  attempts: number;
  /**
   * Which kind of end it is.
   */
  code?:
    | 'WORKER_ERROR'
    | 'WORKER_LOST'
    | 'OUTPUT_TOO_LARGE'
    | 'CANCELLED'
    | 'PURGED'
    | 'QUEUE_TTL_EXPIRED'
    | 'EXECUTION_TIMEOUT';
  /**
   * When it was submitted.
   */
  createdAt: string;
}
/**
 * The record of a job that several workers in a row were lost with, and the id of the request.
 */
export interface LostJob {
  /**
   * Names the job.
   */
  id: string;
  status: 'FAILED';
  /**
   * How long it has waited, in milliseconds.
   */
  delayTime: number;
  /**
   * How long it has run, in milliseconds; 0 if it never ran.
   */
  executionTime: number;
  /**
   * The worker that has it, or had it last.
   */
  workerId: string;
  /**
   * How often it was started.
   */
  attempts: number;
  /**
   * Why it ended without success.
   */
  error: string;
  /**
   * Which kind of end it is.
   */
  code: 'WORKER_ERROR' | 'WORKER_LOST' | 'OUTPUT_TOO_LARGE';
  /**
   * The output of the worker, byte for byte.
   */
  output?: unknown;
  webhook?: WebhookDelivery;
  /**
   * Finds the request in the logs.
   */
  requestId: string;
}
/**
 * At most 1 MB of JSON text. A larger output comes in several chunks: a string as strings, an array as arrays, anything else as parts.
 */
export interface Chunk {
  /**
   * What the worker streamed, or a piece of it.
   */
  output: unknown;
  metrics: Metrics;
  /**
   * Number of the part, from 1, of an output that was cut as text: the outputs of all parts are strings.
   */
  part?: number;
  /**
   * Number of parts. Their strings, one after the other, are the JSON text of the output.
   */
  parts?: number;
}
export interface Metrics {
  /**
   * The number of the chunk, from 0.
   */
  stream_index: number;
  avg_gen_throughput?: number;
  avg_prompt_throughput?: number;
  cpu_kv_cache_usage?: number;
  gpu_kv_cache_usage?: number;
  input_tokens?: number;
  output_tokens?: number;
  pending?: number;
  running: number;
  scenario?: string;
  swapped?: number;
}
/**
 * The chunks that no call has returned yet: of an endpoint with `streamEnvelope`, or to a client of RunPod, which its `User-Agent` shows.
 */
export interface Drain {
  status: 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT';
  stream: Chunk[];
}
export interface JobList {
  /**
   * The newest first.
   */
  requests: JobSummary[];
  /**
   * Cursor of the next page; absent on the last page.
   */
  nextCursor?: string;
}
export interface JobLog {
  /**
   * Names the job.
   */
  id: string;
  status: 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT';
  /**
   * How often the job was started; the lines are those of the last start.
   */
  attempts: number;
  /**
   * The worker that printed the lines; absent if no worker has the job, or had it at its end.
   */
  workerId?: string;
  /**
   * The oldest first.
   */
  lines: LogLine[];
  /**
   * Cursor of the lines that follow, now or later; absent after the last line of a job that has ended.
   */
  nextCursor?: string;
}
export interface LogLine {
  /**
   * When it was printed.
   */
  time: string;
  /**
   * The container: the one with the handler, or the agent beside it.
   */
  source: 'worker' | 'agent';
  /**
   * Whether the line says whose it is, or was printed while the worker had no other job.
   */
  chosenBy: 'JOB_ID' | 'TIME';
  /**
   * The line; of a giant one the beginning.
   */
  message: string;
  /**
   * There if the line is longer.
   */
  truncated?: true;
}
export interface Health {
  jobs: {
    /**
     * Jobs that wait.
     */
    inQueue: number;
    /**
     * Jobs that run.
     */
    inProgress: number;
    /**
     * Since the endpoint was deployed.
     */
    completed: number;
    /**
     * Since the endpoint was deployed, those that timed out among them.
     */
    failed: number;
    /**
     * How often jobs came back from lost workers, or were retried by clients, since the endpoint was deployed.
     */
    retried: number;
  };
  workers: {
    /**
     * Without a job.
     */
    idle: number;
    /**
     * Asked for, and not ready yet.
     */
    initializing: number;
    /**
     * Idle or running.
     */
    ready: number;
    /**
     * With a job: as many as `jobs.inProgress` needs.
     */
    running: number;
    /**
     * They wait for capacity, a quota or protection by ECS, or were asked for long ago.
     */
    throttled: number;
    /**
     * They fail to start, or have not been heard of for too long.
     */
    unhealthy: number;
  };
  /**
   * While the file of the endpoint has no `concurrency`, and a worker has asked for jobs.
   */
  concurrency?: {
    /**
     * Jobs that a worker runs at once: what the workers ask for, and what the scaler counts on.
     */
    jobs: number;
    /**
     * A sentence that says which setting makes it explicit.
     */
    detail: string;
  };
  /**
   * Why it waits.
   */
  waitReason?:
    | 'LOW_PRIORITY'
    | 'NO_CAPACITY'
    | 'QUOTA'
    | 'IMAGE_UNAVAILABLE'
    | 'CANNOT_START'
    | 'WORKER_EXITS'
    | 'WORKER_UNHEALTHY'
    | 'WORKER_STARTING'
    | 'WAITING_FOR_CAPACITY'
    | 'SCALING_UP'
    | 'NO_WORKER'
    | 'WORKERS_BUSY';
  /**
   * A sentence, which may change, with what the provider says.
   */
  waitDetail?: string;
}
export interface WebhookList {
  /**
   * The newest failure first.
   */
  webhooks: FailedWebhook[];
  /**
   * Cursor of the next page; absent on the last page.
   */
  nextCursor?: string;
}
export interface FailedWebhook {
  /**
   * Names the job.
   */
  id: string;
  /**
   * Which end of the job it reports: how often the job had been retried by then.
   */
  completion: number;
  /**
   * The header `webhook-id` of each try.
   */
  webhookId: string;
  /**
   * When its last try failed.
   */
  failedAt: string;
  /**
   * How often the receiver was called, since it was sent again last.
   */
  attempts: number;
  /**
   * How often it was sent again.
   */
  resent: number;
  /**
   * The HTTP status that the receiver answered last, if it did.
   */
  lastStatus?: number;
  /**
   * Why the last try was none.
   */
  lastError?: string;
}
export interface Resent {
  /**
   * Names the job.
   */
  id: string;
  /**
   * Which end of the job it reports: how often the job had been retried by then.
   */
  completion: number;
  /**
   * The header `webhook-id` of each try.
   */
  webhookId: string;
  state: 'PENDING';
}
export interface OpenAiError {
  error: {
    /**
     * A sentence, which may change.
     */
    message: string;
    /**
     * Such as `invalid_request_error`, or as the server of the worker calls it.
     */
    type: string;
    /**
     * The parameter that is wrong, if one is.
     */
    param: string | null;
    /**
     * A code of this interface, or that of the server.
     */
    code: string | number | null;
  };
}
export interface PurgeResult {
  /**
   * How many jobs waited.
   */
  removed: number;
  status: 'completed';
}
export interface Error {
  /**
   * A sentence, which may change.
   */
  error: string;
  /**
   * What to go by.
   */
  code:
    | 'INVALID_REQUEST'
    | 'JOB_NOT_RETRYABLE'
    | 'TEMPLATE_NAME_TAKEN'
    | 'TEMPLATE_READ_ONLY'
    | 'TEMPLATE_IN_USE'
    | 'WEBHOOK_NOT_FAILED'
    | 'UNAUTHORIZED'
    | 'TOKEN_EXPIRED'
    | 'NOT_PERMITTED'
    | 'SECRETS_NOT_PERMITTED'
    | 'ENDPOINT_NOT_FOUND'
    | 'JOB_NOT_FOUND'
    | 'JOB_EXPIRED'
    | 'TEMPLATE_NOT_FOUND'
    | 'KEY_NOT_FOUND'
    | 'WEBHOOK_NOT_FOUND'
    | 'ROUTE_NOT_FOUND'
    | 'REQUEST_TIMEOUT'
    | 'IDEMPOTENCY_CONFLICT'
    | 'PAYLOAD_TOO_LARGE'
    | 'QUEUE_FULL'
    | 'TOO_MANY_REQUESTS'
    | 'WORKER_LOST'
    | 'INTERNAL'
    | 'NOT_READY'
    | 'GATEWAY_FAILURE'
    | 'GATEWAY_TIMEOUT';
  /**
   * Finds the request in the logs.
   */
  requestId: string;
}
