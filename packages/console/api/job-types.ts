/** Written by `npm run generate` from the OpenAPI document of the interface. */

/**
 * The current state of a job. The status determines the members.
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
  Stage: Stage;
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
 * A job. Unknown members are ignored. Omit members without a value: `null` is a 400.
 */
export interface Submission {
  /**
   * Passed to the worker byte for byte.
   */
  input: {
    [k: string]: unknown;
  };
  policy?: Policy;
  s3Config?: S3Config;
  /**
   * Public URL that receives a POST with the job record when the job ends.
   */
  webhook?: string;
}
/**
 * Limits of a job.
 */
export interface Policy {
  /**
   * Longest run, in milliseconds. An endpoint can have another default. Default: `600000`.
   */
  executionTimeout?: number;
  /**
   * If true, the job does not start a worker. Default: `false`.
   */
  lowPriority?: boolean;
  /**
   * Longest wait in the queue, in milliseconds. Default: `86400000`.
   */
  ttl?: number;
}
/**
 * Storage for the worker, never returned in a response. The worker also receives additional members.
 */
export interface S3Config {
  /**
   * Access key id.
   */
  accessId?: string;
  /**
   * Secret access key.
   */
  accessSecret?: string;
  /**
   * Name of the bucket.
   */
  bucketName?: string;
  /**
   * Address of the storage. The service does not call it.
   */
  endpointUrl?: string;
}
export interface Acknowledgement {
  /**
   * Id of the job.
   */
  id: string;
  /**
   * Status of the job.
   */
  status: 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT';
}
export interface InQueueJob {
  /**
   * Id of the job.
   */
  id: string;
  status: 'IN_QUEUE';
  /**
   * Time that the job has waited, in milliseconds.
   */
  delayTime: number;
  /**
   * Time that the job has run, in milliseconds; 0 if it never ran.
   */
  executionTime: number;
  /**
   * Number of attempts.
   */
  attempts: number;
  /**
   * Approximate position in the queue: 1 is the next job.
   */
  queuePosition: number;
  /**
   * Why the job waits for a worker, or why the jobs of the endpoint wait or would wait.
   */
  waitReason:
    | 'BUDGET_SPENT'
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
   * Message for people, which can change and includes the message of the provider.
   */
  waitDetail?: string;
  webhook?: WebhookDelivery;
  /**
   * Stages of the wait, whose durations add up to `delayTime`; only in responses of `/status?timeline=true`.
   */
  timeline?: Stage[];
}
/**
 * State of the webhook delivery.
 */
export interface WebhookDelivery {
  /**
   * Whether the receiver has acknowledged the delivery. `NOT_SENT` means that a purge removed the job.
   */
  state: 'PENDING' | 'DELIVERED' | 'FAILED' | 'NOT_SENT';
  /**
   * Number of attempts since the job ended or the delivery was last sent again.
   */
  attempts: number;
  /**
   * Last HTTP status of the receiver.
   */
  lastStatus?: number;
  /**
   * Why the last attempt was not acknowledged.
   */
  lastError?: string;
}
export interface Stage {
  /**
   * QUEUED: until the worker is requested. INSTANCE: until EC2 has launched an instance for the worker. BOOT: until the instance is registered, or Fargate begins to pull the images. IMAGE: until the images are pulled. WORKER: until the container asks for jobs. TAKE: until the job starts.
   */
  stage: 'QUEUED' | 'INSTANCE' | 'BOOT' | 'IMAGE' | 'WORKER' | 'TAKE';
  /**
   * Start of the stage.
   */
  startedAt: string;
  /**
   * Duration, in milliseconds.
   */
  duration: number;
}
export interface InProgressJob {
  /**
   * Id of the job.
   */
  id: string;
  status: 'IN_PROGRESS';
  /**
   * Time that the job has waited, in milliseconds.
   */
  delayTime: number;
  /**
   * Time that the job has run, in milliseconds; 0 if it never ran.
   */
  executionTime: number;
  /**
   * The worker that has the job, or last had it.
   */
  workerId: string;
  /**
   * Number of attempts.
   */
  attempts: number;
  /**
   * Last progress that the worker reported, byte for byte.
   */
  output?: unknown;
  webhook?: WebhookDelivery;
  /**
   * Stages of the wait, whose durations add up to `delayTime`; only in responses of `/status?timeline=true`.
   */
  timeline?: Stage[];
}
export interface CompletedJob {
  /**
   * Id of the job.
   */
  id: string;
  status: 'COMPLETED';
  /**
   * Time that the job has waited, in milliseconds.
   */
  delayTime: number;
  /**
   * Time that the job has run, in milliseconds; 0 if it never ran.
   */
  executionTime: number;
  /**
   * The worker that has the job, or last had it.
   */
  workerId: string;
  /**
   * Number of attempts.
   */
  attempts: number;
  /**
   * Output of the worker, byte for byte.
   */
  output: unknown;
  webhook?: WebhookDelivery;
  /**
   * Stages of the wait, whose durations add up to `delayTime`; only in responses of `/status?timeline=true`.
   */
  timeline?: Stage[];
}
export interface FailedJob {
  /**
   * Id of the job.
   */
  id: string;
  status: 'FAILED';
  /**
   * Time that the job has waited, in milliseconds.
   */
  delayTime: number;
  /**
   * Time that the job has run, in milliseconds; 0 if it never ran.
   */
  executionTime: number;
  /**
   * The worker that has the job, or last had it.
   */
  workerId: string;
  /**
   * Number of attempts.
   */
  attempts: number;
  /**
   * Why the job did not succeed.
   */
  error: string;
  /**
   * Why the job has this status.
   */
  code: 'WORKER_ERROR' | 'WORKER_LOST' | 'OUTPUT_TOO_LARGE' | 'RESULT_NOT_REPORTED';
  /**
   * Output that the worker reported with its error, byte for byte. Without it, the array of the outputs of its chunks, if its worker is known to return them as its output.
   */
  output?: unknown;
  webhook?: WebhookDelivery;
  /**
   * Stages of the wait, whose durations add up to `delayTime`; only in responses of `/status?timeline=true`.
   */
  timeline?: Stage[];
}
export interface CancelledJob {
  /**
   * Id of the job.
   */
  id: string;
  status: 'CANCELLED';
  /**
   * Time that the job has waited, in milliseconds.
   */
  delayTime: number;
  /**
   * Time that the job has run, in milliseconds; 0 if it never ran.
   */
  executionTime: number;
  /**
   * Number of attempts.
   */
  attempts: number;
  /**
   * Why the job has this status.
   */
  code: 'CANCELLED' | 'PURGED';
  /**
   * The worker that has the job, or last had it.
   */
  workerId?: string;
  /**
   * After a start, the array of the outputs of its chunks, if its worker is known to return them as its output.
   */
  output?: unknown;
  webhook?: WebhookDelivery;
  /**
   * Stages of the wait, whose durations add up to `delayTime`; only in responses of `/status?timeline=true`.
   */
  timeline?: Stage[];
}
export interface TimedOutJob {
  /**
   * Id of the job.
   */
  id: string;
  status: 'TIMED_OUT';
  /**
   * Time that the job has waited, in milliseconds.
   */
  delayTime: number;
  /**
   * Time that the job has run, in milliseconds; 0 if it never ran.
   */
  executionTime: number;
  /**
   * Number of attempts.
   */
  attempts: number;
  /**
   * Why the job did not succeed.
   */
  error: string;
  /**
   * Why the job has this status.
   */
  code: 'QUEUE_TTL_EXPIRED' | 'EXECUTION_TIMEOUT';
  /**
   * The worker that has the job, or last had it.
   */
  workerId?: string;
  /**
   * After a start, the array of the outputs of its chunks, if its worker is known to return them as its output.
   */
  output?: unknown;
  webhook?: WebhookDelivery;
  /**
   * Stages of the wait, whose durations add up to `delayTime`; only in responses of `/status?timeline=true`.
   */
  timeline?: Stage[];
}
export interface JobSummary {
  /**
   * Id of the job.
   */
  id: string;
  /**
   * Status of the job.
   */
  status: 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT';
  /**
   * Time that the job has waited, in milliseconds.
   */
  delayTime: number;
  /**
   * Time that the job has run, in milliseconds; 0 if it never ran.
   */
  executionTime: number;
  /**
   * The worker that has the job, or last had it.
   */
  workerId?: string;
  /**
   * Number of attempts.
   */
  attempts: number;
  /**
   * Approximate position in the queue: 1 is the next job.
   */
  queuePosition?: number;
  /**
   * Why the job waits for a worker, or why the jobs of the endpoint wait or would wait.
   */
  waitReason?:
    | 'BUDGET_SPENT'
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
   * Message for people, which can change and includes the message of the provider.
   */
  waitDetail?: string;
  /**
   * Why the job has this status.
   */
  code?:
    | 'WORKER_ERROR'
    | 'WORKER_LOST'
    | 'OUTPUT_TOO_LARGE'
    | 'RESULT_NOT_REPORTED'
    | 'CANCELLED'
    | 'PURGED'
    | 'QUEUE_TTL_EXPIRED'
    | 'EXECUTION_TIMEOUT';
  /**
   * Time of the submission.
   */
  createdAt: string;
}
/**
 * Record of a job that lost a worker in each attempt, and the id of the request.
 */
export interface LostJob {
  /**
   * Id of the job.
   */
  id: string;
  status: 'FAILED';
  /**
   * Time that the job has waited, in milliseconds.
   */
  delayTime: number;
  /**
   * Time that the job has run, in milliseconds; 0 if it never ran.
   */
  executionTime: number;
  /**
   * The worker that has the job, or last had it.
   */
  workerId: string;
  /**
   * Number of attempts.
   */
  attempts: number;
  /**
   * Why the job did not succeed.
   */
  error: string;
  /**
   * Why the job has this status.
   */
  code: 'WORKER_ERROR' | 'WORKER_LOST' | 'OUTPUT_TOO_LARGE' | 'RESULT_NOT_REPORTED';
  /**
   * Output that the worker reported with its error, byte for byte. Without it, the array of the outputs of its chunks, if its worker is known to return them as its output.
   */
  output?: unknown;
  webhook?: WebhookDelivery;
  /**
   * Stages of the wait, whose durations add up to `delayTime`; only in responses of `/status?timeline=true`.
   */
  timeline?: Stage[];
  /**
   * Id of the request in the logs.
   */
  requestId: string;
}
/**
 * At most 1 MB of JSON text. A larger output is split: a string into strings, an array into arrays, other values into parts.
 */
export interface Chunk {
  /**
   * An output that the worker streamed, or a part of it.
   */
  output: unknown;
  metrics: Metrics;
  /**
   * Number of the part, from 1, of an output that was split as text. The outputs of all parts are strings.
   */
  part?: number;
  /**
   * Number of parts. Their concatenated strings are the JSON text of the output.
   */
  parts?: number;
}
/**
 * Eleven metrics, of which `stream_index` and `running` are always present, and the others if the worker sent them with the chunk. If it sends no `running`, this is the number of jobs that it holds.
 */
export interface Metrics {
  /**
   * Number of the chunk, from 0.
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
 * Chunks that no call has returned yet, for endpoints with `streamEnvelope` and for RunPod clients, detected by `User-Agent`.
 */
export interface Drain {
  /**
   * Status of the job.
   */
  status: 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT';
  /**
   * Chunks, oldest first.
   */
  stream: Chunk[];
}
export interface JobList {
  /**
   * Jobs, newest first.
   */
  requests: JobSummary[];
  /**
   * Cursor of the next page; absent on the last page.
   */
  nextCursor?: string;
}
export interface JobLog {
  /**
   * Id of the job.
   */
  id: string;
  /**
   * Status of the job.
   */
  status: 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT';
  /**
   * Number of attempts of the job. The lines are those of the last attempt.
   */
  attempts: number;
  /**
   * The worker that printed the lines. Absent if the job waits, or ended while it waited.
   */
  workerId?: string;
  /**
   * Lines, oldest first.
   */
  lines: LogLine[];
  /**
   * Cursor of the next lines, which might not exist yet. Absent after the last line of a job that has ended.
   */
  nextCursor?: string;
}
export interface LogLine {
  /**
   * Time at which the line was printed.
   */
  time: string;
  /**
   * Container that printed the line: `worker` runs the handler.
   */
  source: 'worker' | 'agent';
  /**
   * `JOB_ID`: the line contains the job id. `TIME`: the worker held no other job when it printed the line.
   */
  chosenBy: 'JOB_ID' | 'TIME';
  /**
   * The line, truncated if it is too long.
   */
  message: string;
  /**
   * `true` if the line was truncated; absent otherwise.
   */
  truncated?: boolean;
}
export interface Health {
  /**
   * Numbers of jobs, one to two seconds ago.
   */
  jobs: {
    /**
     * Waiting jobs.
     */
    inQueue: number;
    /**
     * Running jobs.
     */
    inProgress: number;
    /**
     * Completed jobs since the endpoint was deployed.
     */
    completed: number;
    /**
     * Number of times that a job failed or timed out since the endpoint was deployed; not reduced by retries.
     */
    failed: number;
    /**
     * Requeues because workers were lost or gave up jobs, and retries by clients, since the endpoint was deployed.
     */
    retried: number;
  };
  /**
   * Numbers of workers.
   */
  workers: {
    /**
     * Ready workers without a job.
     */
    idle: number;
    /**
     * Requested workers that are not ready yet.
     */
    initializing: number;
    /**
     * Idle and running workers.
     */
    ready: number;
    /**
     * Workers with a job.
     */
    running: number;
    /**
     * Workers that wait for capacity, a quota or ECS task protection, or were requested over 5 minutes ago and are not placed.
     */
    throttled: number;
    /**
     * Workers that fail to start, have not renewed their lease, or no longer ask for jobs although jobs wait.
     */
    unhealthy: number;
  };
  /**
   * Present if the endpoint file has no `concurrency`, and a worker has asked for jobs.
   */
  concurrency?: {
    /**
     * Highest number of concurrent jobs that a worker of the current revision has asked for; until one has asked, the number of the previous revision with the same template. The number of workers is calculated from it.
     */
    jobs: number;
    /**
     * Message that names the setting for this number.
     */
    detail: string;
  };
  /**
   * Why the job waits for a worker, or why the jobs of the endpoint wait or would wait.
   */
  waitReason?:
    | 'BUDGET_SPENT'
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
   * Message for people, which can change and includes the message of the provider.
   */
  waitDetail?: string;
}
export interface WebhookList {
  /**
   * Failed deliveries, newest failure first.
   */
  webhooks: FailedWebhook[];
  /**
   * Cursor of the next page; absent on the last page.
   */
  nextCursor?: string;
}
export interface FailedWebhook {
  /**
   * Id of the job.
   */
  id: string;
  /**
   * Number of the reported completion of the job, which is the number of retries before this completion.
   */
  completion: number;
  /**
   * The header `webhook-id` of each attempt.
   */
  webhookId: string;
  /**
   * Time at which the last attempt failed.
   */
  failedAt: string;
  /**
   * Number of attempts since the delivery was created or last sent again.
   */
  attempts: number;
  /**
   * Number of times that the delivery was sent again.
   */
  resent: number;
  /**
   * Last HTTP status of the receiver, if it responded.
   */
  lastStatus?: number;
  /**
   * Why the last attempt failed.
   */
  lastError?: string;
  /**
   * Scheme, host and port of the URL, such as `https://example.com`; absent if they are unknown. The rest of the URL can contain secrets.
   */
  receiver?: string;
}
export interface Resent {
  /**
   * Id of the job.
   */
  id: string;
  /**
   * Number of the reported completion of the job, which is the number of retries before this completion.
   */
  completion: number;
  /**
   * The header `webhook-id` of each attempt.
   */
  webhookId: string;
  state: 'PENDING';
}
/**
 * If API Gateway refuses the key, the response also has the members `code` and `requestId`.
 */
export interface OpenAiError {
  /**
   * The error.
   */
  error: {
    /**
     * Message for people, which can change.
     */
    message: string;
    /**
     * Error type, such as `invalid_request_error`, or a type of the worker server.
     */
    type: string;
    /**
     * The invalid parameter, if any.
     */
    param: string | null;
    /**
     * Error code of this interface, or of the worker server.
     */
    code: string | number | null;
  };
}
export interface PurgeResult {
  /**
   * Number of jobs that waited.
   */
  removed: number;
  status: 'completed';
}
export interface Error {
  /**
   * Message for people, which can change.
   */
  error: string;
  /**
   * Stable code for programs.
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
    | 'DECLARED_IN_GIT'
    | 'PAYLOAD_TOO_LARGE'
    | 'QUEUE_FULL'
    | 'BUDGET_SPENT'
    | 'TOO_MANY_REQUESTS'
    | 'WORKER_LOST'
    | 'INTERNAL'
    | 'NOT_READY'
    | 'GATEWAY_FAILURE'
    | 'GATEWAY_TIMEOUT'
    | 'REQUEST_REFUSED';
  /**
   * Id of the request in the logs.
   */
  requestId: string;
}
