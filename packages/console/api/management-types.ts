/** Written by `npm run generate` from the OpenAPI document of the interface. */

/**
 * All schemas of the interface by name.
 */
export interface Schemas {
  EndpointList: EndpointList;
  Endpoint: Endpoint;
  EndpointDetails: EndpointDetails;
  Release: Release;
  ReleaseList: ReleaseList;
  RollbackRequest: RollbackRequest;
  Rollback: Rollback;
  Resumed: Resumed;
  KeyList: KeyList;
  NewKey: NewKey;
  CreatedKey: CreatedKey;
  RevokedKey: RevokedKey;
  EndpointLog: EndpointLog;
  WorkerLine: WorkerLine;
  WorkerList: WorkerList;
  Worker: Worker;
  Stage: Stage;
  JobPlace: JobPlace;
  AlarmList: AlarmList;
  Alarm: Alarm;
  LastError: LastError;
  EndedJobList: EndedJobList;
  EndedJob: EndedJob;
  EndedAttempt: EndedAttempt;
  FailureList: FailureList;
  EndedWorkerList: EndedWorkerList;
  EndedWorker: EndedWorker;
  EventList: EventList;
  EndpointEvent: EndpointEvent;
  FailureGroup: FailureGroup;
  EndpointSeries: EndpointSeries;
  SeriesPoint: SeriesPoint;
  SeriesTotal: SeriesTotal;
  Recent: Recent;
  Costs: Costs;
  Cost: Cost;
  Session: Session;
  Health: Health;
  NewTemplate: NewTemplate;
  TemplateChanges: TemplateChanges;
  Template: Template;
  ListedTemplate: ListedTemplate;
  TemplateInUse: TemplateInUse;
  TemplateList: TemplateList;
  RemovedTemplate: RemovedTemplate;
  Drift: Drift;
  Error: Error;
}
export interface EndpointList {
  /**
   * Endpoints that the caller may call.
   */
  endpoints: Endpoint[];
}
export interface Endpoint {
  /**
   * Id of the endpoint, a path segment of the job interface.
   */
  id: string;
  /**
   * Container image of the workers; absent for another owner's private template.
   */
  image?: string;
  /**
   * Template that the workers run.
   */
  template?: {
    /**
     * Id of the template.
     */
    id: string;
    /**
     * Name of the template; absent for another owner's private template.
     */
    name?: string;
    /**
     * Version of the template, incremented by each change that replaces workers.
     */
    version?: number;
    /**
     * Fields of the template that differ from its file; absent if there are none.
     */
    driftedFields?: string[];
  };
  /**
   * Minimum number of workers.
   */
  minWorkers: number;
  /**
   * Maximum number of workers.
   */
  maxWorkers: number;
  /**
   * Execution timeout of a job whose policy does not set one, in milliseconds.
   */
  executionTimeout: number;
  /**
   * Excludes disks, traffic and unused capacity of instances. Absent if the price is unknown, such as for Spot.
   */
  workerPrice?: {
    /**
     * On-demand price of one worker in US dollars per hour.
     */
    hour: number;
    /**
     * Region of the prices, such as `us-east-1`.
     */
    region: string;
    /**
     * Date of the oldest price, such as `2026-08-21`.
     */
    date: string;
  };
  /**
   * Example inputs from the endpoint file; absent if it has none.
   */
  examples?: {
    /**
     * Name of the example.
     */
    name: string;
    /**
     * The `input` of a job.
     */
    input: {
      [k: string]: unknown;
    };
  }[];
  release?: Release;
  /**
   * The last complete release, which workers still run while `release` is in progress; absent before the first is complete.
   */
  running?: {
    /**
     * Id of the template.
     */
    template: string;
    /**
     * Version of the template.
     */
    version: number;
    /**
     * Number of the revision of the endpoint's task definition.
     */
    revision: number;
    /**
     * Time at which the release was completed.
     */
    since: string;
  };
  health: Health;
  recent?: Recent;
}
/**
 * The last release of the endpoint.
 */
export interface Release {
  /**
   * State of the release. ROLLED_BACK: the previous release was restored.
   */
  state: 'IN_PROGRESS' | 'COMPLETED' | 'ROLLED_BACK' | 'SUPERSEDED';
  /**
   * Version of the template.
   */
  version?: number;
  /**
   * Number of the revision of the endpoint's task definition; absent if it could not be created.
   */
  revision?: number;
  /**
   * Start of the release.
   */
  startedAt?: string;
  /**
   * Time at which the release was completed, rolled back or superseded.
   */
  endedAt?: string;
  /**
   * Why the release was rolled back or does not progress.
   */
  reason?: string;
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
/**
 * What happened on the endpoint lately; only with `include=recent`, and if the history is kept.
 */
export interface Recent {
  lastHour: {
    /**
     * Number of jobs that ended.
     */
    ended: number;
    /**
     * Number of them that failed or timed out.
     */
    failed: number;
    /**
     * 95th percentile of their waits in milliseconds, within 10 %; absent without such jobs.
     */
    p95DelayTime?: number;
    /**
     * Webhooks that failed and were not sent again, at most 100.
     */
    failedWebhooks: number;
  };
  /**
   * Hours of the last day in which jobs ended, oldest first.
   */
  hours: {
    /**
     * Begin of the hour.
     */
    from: string;
    /**
     * Number of jobs that ended.
     */
    ended: number;
    /**
     * Number of them that failed or timed out.
     */
    failed: number;
  }[];
  today: {
    /**
     * US dollars for workers since 00:00 UTC.
     */
    dollars: number;
    /**
     * Time of workers without a price in milliseconds, such as on Spot.
     */
    unpricedTime: number;
  };
  /**
   * Time up to which jobs and costs are summed.
   */
  summedTo: string;
}
export interface EndpointDetails {
  /**
   * Id of the endpoint, a path segment of the job interface.
   */
  id: string;
  /**
   * Container image of the workers; absent for another owner's private template.
   */
  image?: string;
  /**
   * Template that the workers run.
   */
  template?: {
    /**
     * Id of the template.
     */
    id: string;
    /**
     * Name of the template; absent for another owner's private template.
     */
    name?: string;
    /**
     * Version of the template, incremented by each change that replaces workers.
     */
    version?: number;
    /**
     * Fields of the template that differ from its file; absent if there are none.
     */
    driftedFields?: string[];
  };
  /**
   * Minimum number of workers.
   */
  minWorkers: number;
  /**
   * Maximum number of workers.
   */
  maxWorkers: number;
  /**
   * Execution timeout of a job whose policy does not set one, in milliseconds.
   */
  executionTimeout: number;
  /**
   * Excludes disks, traffic and unused capacity of instances. Absent if the price is unknown, such as for Spot.
   */
  workerPrice?: {
    /**
     * On-demand price of one worker in US dollars per hour.
     */
    hour: number;
    /**
     * Region of the prices, such as `us-east-1`.
     */
    region: string;
    /**
     * Date of the oldest price, such as `2026-08-21`.
     */
    date: string;
  };
  /**
   * Example inputs from the endpoint file; absent if it has none.
   */
  examples?: {
    /**
     * Name of the example.
     */
    name: string;
    /**
     * The `input` of a job.
     */
    input: {
      [k: string]: unknown;
    };
  }[];
  release?: Release;
  /**
   * The last complete release, which workers still run while `release` is in progress; absent before the first is complete.
   */
  running?: {
    /**
     * Id of the template.
     */
    template: string;
    /**
     * Version of the template.
     */
    version: number;
    /**
     * Number of the revision of the endpoint's task definition.
     */
    revision: number;
    /**
     * Time at which the release was completed.
     */
    since: string;
  };
  health: Health;
  /**
   * Version of the template that the endpoint runs; absent if it runs each new version.
   */
  pinTemplate?: number;
  /**
   * Kind of processors of the endpoint.
   */
  category: 'NVIDIA' | 'AMD' | 'CPU';
  /**
   * `http` if the workers are HTTP servers, and `worker` if they ask for jobs.
   */
  protocol: 'worker' | 'http';
  /**
   * Number of jobs that a worker runs at the same time; absent if the endpoint file does not set it.
   */
  concurrency?: number;
  /**
   * Time after which a worker without a job stops, in milliseconds.
   */
  idleTimeout: number;
  /**
   * What helps against the `waitReason` of `health`; absent if only waiting does, or without one.
   */
  remedy?: string;
}
export interface ReleaseList {
  /**
   * Releases, newest first.
   */
  releases: {
    /**
     * State of the release. ROLLED_BACK: the previous release was restored.
     */
    state: 'IN_PROGRESS' | 'COMPLETED' | 'ROLLED_BACK' | 'SUPERSEDED';
    /**
     * Version of the template.
     */
    version?: number;
    /**
     * Number of the revision of the endpoint's task definition; absent if it could not be created.
     */
    revision?: number;
    /**
     * Start of the release.
     */
    startedAt?: string;
    /**
     * Time at which the release was completed, rolled back or superseded.
     */
    endedAt?: string;
    /**
     * Why the release was rolled back or does not progress.
     */
    reason?: string;
    /**
     * Id of the template.
     */
    template?: string;
  }[];
  /**
   * Cursor of the next page; absent on the last page.
   */
  nextCursor?: string;
}
/**
 * The release to which the endpoint rolls back. Unknown members are ignored.
 */
export interface RollbackRequest {
  /**
   * Revision of the release, as in the list of releases.
   */
  revision: number;
  /**
   * Reason for a change of fields that a file declares, which their drift returns.
   */
  reason?: string;
}
export interface Rollback {
  /**
   * Id of the endpoint.
   */
  id: string;
  /**
   * The earlier release, whose settings the template has now.
   */
  restores: {
    /**
     * Its revision.
     */
    revision: number;
    /**
     * Its version of the template.
     */
    version: number;
  };
  /**
   * Id of the template.
   */
  template: string;
  /**
   * Version of the template with these settings, which is rolled out to the endpoint.
   */
  version: number;
}
export interface Resumed {
  /**
   * Id of the endpoint.
   */
  id: string;
  /**
   * Whether the endpoint had backed off, because several workers in a row had failed.
   */
  backedOff: boolean;
  /**
   * The blocker, as in `waitReason` of a job, which remains until a worker starts; absent if there is none.
   */
  reason?: 'NO_CAPACITY' | 'QUOTA' | 'IMAGE_UNAVAILABLE' | 'CANNOT_START' | 'WORKER_EXITS' | 'WORKER_UNHEALTHY';
}
export interface KeyList {
  /**
   * Keys, oldest first.
   */
  keys: {
    /**
     * Id of the key: the beginning of its hash.
     */
    id: string;
    /**
     * Name of the key.
     */
    name: string;
    /**
     * Owner of the key.
     */
    owner: string;
    /**
     * Ids of the endpoints that the key may call; `*` means all.
     */
    endpoints: string[];
    /**
     * Operations that the key may call; `*` means all.
     */
    operations: string[];
    /**
     * Template scopes of the key.
     *
     * @maxItems 3
     */
    scopes: ('templates:read' | 'templates:write' | 'templates:secrets')[];
    /**
     * Time of creation.
     */
    createdAt: string;
    /**
     * Expiry; absent if the key does not expire.
     */
    expiresAt?: string;
    /**
     * Dollars of worker time in a day (UTC) after which the key submits no more jobs; absent for no budget.
     */
    maxDollarsPerDay?: number;
  }[];
}
export interface NewKey {
  /**
   * Name of the key.
   */
  name: string;
  /**
   * Owner of the key. The default is the name.
   */
  owner?: string;
  /**
   * Ids of the endpoints that the key may call; `*` means all. Default: `["*"]`.
   *
   * @minItems 1
   * @maxItems 100
   */
  endpoints?: string[];
  /**
   * Operations that the key may call; `*` means all. Default: `["*"]`.
   *
   * @minItems 1
   * @maxItems 100
   */
  operations?: (
    | 'run'
    | 'runsync'
    | 'status'
    | 'input'
    | 'status-sync'
    | 'stream'
    | 'openai'
    | 'logs'
    | 'cancel'
    | 'retry'
    | 'purge-queue'
    | 'requests'
    | 'webhooks'
    | 'resend'
    | 'health'
    | 'endpoints'
    | 'read-endpoint'
    | 'releases'
    | 'workers'
    | 'endpoint-logs'
    | 'find-job'
    | 'list-jobs'
    | 'failures'
    | 'ended-workers'
    | 'series'
    | 'costs'
    | 'metrics'
    | 'events'
    | 'list-alarms'
    | '*'
  )[];
  /**
   * Template scopes of the key. Default: `[]`.
   *
   * @maxItems 3
   */
  scopes?: ('templates:read' | 'templates:write' | 'templates:secrets')[];
  /**
   * Expiry in the future: a date, or a time in UTC such as 2030-01-31T12:00Z.
   */
  expiresAt?: string;
  /**
   * Dollars of worker time in a day (UTC) after which the key submits no more jobs; absent for no budget.
   */
  maxDollarsPerDay?: number;
}
export interface CreatedKey {
  /**
   * Id of the key: the beginning of its hash.
   */
  id: string;
  /**
   * Name of the key.
   */
  name: string;
  /**
   * Owner of the key.
   */
  owner: string;
  /**
   * Ids of the endpoints that the key may call; `*` means all.
   */
  endpoints: string[];
  /**
   * Operations that the key may call; `*` means all.
   */
  operations: string[];
  /**
   * Template scopes of the key.
   *
   * @maxItems 3
   */
  scopes: ('templates:read' | 'templates:write' | 'templates:secrets')[];
  /**
   * Time of creation.
   */
  createdAt: string;
  /**
   * Expiry; absent if the key does not expire.
   */
  expiresAt?: string;
  /**
   * Dollars of worker time in a day (UTC) after which the key submits no more jobs; absent for no budget.
   */
  maxDollarsPerDay?: number;
  /**
   * The secret key. Only this response contains it, because only its hash is stored.
   */
  secret: string;
}
export interface RevokedKey {
  /**
   * Id of the key: the beginning of its hash.
   */
  id: string;
}
export interface EndpointLog {
  /**
   * Lines, oldest first.
   */
  lines: WorkerLine[];
  /**
   * Cursor of the next lines, which might not exist yet.
   */
  nextCursor: string;
}
export interface WorkerLine {
  /**
   * Time at which the line was printed.
   */
  time: string;
  /**
   * Container that printed the line.
   */
  source: 'worker' | 'agent';
  /**
   * Id of the worker.
   */
  worker: string;
  /**
   * The line, truncated if it is too long.
   */
  message: string;
  /**
   * `true` if the line was truncated; absent otherwise.
   */
  truncated?: boolean;
}
export interface WorkerList {
  /**
   * Workers, sorted by id.
   */
  workers: Worker[];
}
export interface Worker {
  /**
   * Id of the ECS task, which is the `workerId` of its jobs.
   */
  id: string;
  /**
   * State as in `workers` of `Health`, up to 10 s late. INITIALIZING: the container has not asked for a job yet. THROTTLED: ECS refuses protection, so the worker takes no jobs. UNHEALTHY: the lease has ended, or the container does not ask for jobs.
   */
  state: 'INITIALIZING' | 'IDLE' | 'RUNNING' | 'THROTTLED' | 'UNHEALTHY';
  /**
   * Start of the state; present for IDLE workers and for UNHEALTHY workers whose lease has ended.
   */
  since?: string;
  /**
   * Time at which the container first asked for jobs; absent before that.
   */
  readySince?: string;
  /**
   * Time of the last renewal of the lease.
   */
  seenAt: string;
  /**
   * Number of the revision of the endpoint's task definition that the worker runs.
   */
  revision?: number;
  /**
   * Id of the template of the revision.
   */
  template?: string;
  /**
   * Version of the template of the revision.
   */
  version?: number;
  /**
   * Ids of the jobs that the worker holds.
   */
  jobs: string[];
  /**
   * Whether the worker takes no more jobs and exits after the jobs that it holds.
   */
  retiring: boolean;
  /**
   * Present while ECS refuses protection. WORKS: the worker can hold jobs. WAITS: it takes none.
   */
  unprotected?: 'WORKS' | 'WAITS';
  /**
   * Number of jobs that completed on the worker at least two minutes ago.
   */
  completed: number;
  /**
   * Number of jobs that failed on the worker, or exceeded their time.
   */
  failed: number;
  lastError?: LastError;
  /**
   * Stages of the worker's start, from the request for the worker until `readySince`; absent if it is unknown.
   */
  timeline?: Stage[];
}
export interface LastError {
  /**
   * Id of the last job that failed on the worker, or exceeded its time.
   */
  job: string;
  /**
   * Time at which it ended.
   */
  at: string;
  /**
   * Why it failed.
   */
  code?: string;
  /**
   * First line of its error.
   */
  error?: string;
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
export interface JobPlace {
  /**
   * Id of the endpoint that has the job.
   */
  endpoint: string;
  /**
   * Id of the job.
   */
  id: string;
  /**
   * Status of the job.
   */
  status: 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT';
}
export interface AlarmList {
  /**
   * Alarms; those that have gone off are first.
   */
  alarms: Alarm[];
}
export interface Alarm {
  /**
   * Name of the alarm in the guide, such as `AlarmsWaiting`.
   */
  name: string;
  /**
   * Id of the endpoint; absent for an alarm of the deployment.
   */
  endpoint?: string;
  /**
   * ALARM: it has gone off. INSUFFICIENT_DATA: not evaluated yet.
   */
  state: 'ALARM' | 'INSUFFICIENT_DATA' | 'OK';
  /**
   * Time of the last change of the state.
   */
  since: string;
  /**
   * Why CloudWatch has changed the state.
   */
  reason: string;
  /**
   * What the alarm means.
   */
  description: string;
  /**
   * What to do: a page and its heading in the documentation.
   */
  runbook?: string;
  /**
   * Name of the alarm in CloudWatch.
   */
  fullName: string;
}
export interface EndedJobList {
  /**
   * Ends of jobs, newest first. A page can be short, even empty, although more follow.
   */
  jobs: EndedJob[];
  /**
   * Time up to which all jobs were read, of those that the parameters name: the others follow with `nextCursor`.
   */
  readTo: string;
  /**
   * Cursor of the next page; absent if all jobs were read.
   */
  nextCursor?: string;
}
export interface EndedJob {
  /**
   * Id of the job.
   */
  id: string;
  /**
   * Id of its endpoint.
   */
  endpoint: string;
  /**
   * Status with which the job ended.
   */
  status: 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT';
  /**
   * Why the job did not complete, as in its record; absent for COMPLETED.
   */
  code?: string;
  /**
   * First line of the error of a FAILED job, at most 200 bytes.
   */
  error?: string;
  /**
   * Equal for failures whose codes are equal and whose errors differ only by numbers and ids.
   */
  fingerprint?: string;
  /**
   * Submission.
   */
  createdAt: string;
  /**
   * Start of the last attempt; absent if the job was not started.
   */
  startedAt?: string;
  /**
   * End.
   */
  endedAt: string;
  /**
   * Time from the submission, or the last retry, to the start of the last attempt, in milliseconds.
   */
  delayTime: number;
  /**
   * Time from the start of the last attempt to the end, in milliseconds.
   */
  executionTime: number;
  /**
   * Number of attempts.
   */
  attempts: number;
  /**
   * How often the job was queued again because its worker was lost or gave it up.
   */
  rescues: number;
  /**
   * How often a client had retried the job before.
   */
  retries: number;
  /**
   * Whether the job had low priority.
   */
  lowPriority: boolean;
  /**
   * Id of the worker of the last attempt; absent if the job was not started.
   */
  worker?: string;
  /**
   * Revision that the worker ran; absent if it is unknown.
   */
  revision?: number;
  /**
   * Owner of the key, or name of the user, that submitted the job.
   */
  owner: string;
  /**
   * Id of the API key that submitted the job; absent if a user did, or if it is unknown.
   */
  key?: string;
  /**
   * Size of the input in bytes; absent if it is unknown.
   */
  inputBytes?: number;
  /**
   * Size of the output in bytes; absent without an output.
   */
  outputBytes?: number;
  /**
   * Id of the trace of the request that submitted the job; absent if it had none.
   */
  traceId?: string;
  /**
   * The last attempt's share of its worker's time, in milliseconds: of n jobs that ran at once, each has one nth. Absent if the job was not started.
   */
  workerTime?: number;
  /**
   * Dollars for this time at the price of a worker; absent if the price is unknown, such as on Spot.
   */
  dollars?: number;
  /**
   * Attempts after which the job was queued again, oldest first, with the parameter `job`; absent if there are none.
   */
  earlierAttempts?: EndedAttempt[];
}
export interface EndedAttempt {
  /**
   * Number of the attempt.
   */
  attempt: number;
  /**
   * Id of its worker.
   */
  worker: string;
  /**
   * Revision that the worker ran; absent if it is unknown.
   */
  revision?: number;
  /**
   * Start.
   */
  startedAt: string;
  /**
   * Time at which the job was queued again.
   */
  endedAt: string;
  /**
   * Time from the start to the end, in milliseconds.
   */
  executionTime: number;
  /**
   * The last attempt's share of its worker's time, in milliseconds: of n jobs that ran at once, each has one nth. Absent if the job was not started.
   */
  workerTime?: number;
  /**
   * Dollars for this time at the price of a worker; absent if the price is unknown, such as on Spot.
   */
  dollars?: number;
  /**
   * Why it ended: the worker did not renew its lease, the worker stopped, or the worker gave the job up, such as after the process of its handler had ended. Absent if it is unknown.
   */
  reason?: 'WORKER_LOST' | 'WORKER_STOPPED' | 'GIVEN_UP';
}
export interface FailureList {
  /**
   * Groups, the largest first.
   */
  failures: FailureGroup[];
  /**
   * Number of jobs that ended, also successfully, among which the failures are counted.
   */
  ended: number;
  /**
   * Number of failures.
   */
  failed: number;
  /**
   * Time since which all jobs are counted. Older ones follow with `nextCursor`.
   */
  readTo: string;
  /**
   * Cursor of the next page; absent if all jobs were read.
   */
  nextCursor?: string;
}
export interface FailureGroup {
  /**
   * Fingerprint, with which `GET /jobs?error=` lists the jobs.
   */
  fingerprint: string;
  /**
   * Code of the failures.
   */
  code: string;
  /**
   * First line of the newest error; absent if the failures have none.
   */
  error?: string;
  /**
   * Number of failures.
   */
  count: number;
  /**
   * First failure.
   */
  first: string;
  /**
   * Last failure.
   */
  last: string;
  /**
   * Id of the last job that failed.
   */
  job: string;
  /**
   * Workers with the most failures, at most 10.
   */
  workers: {
    /**
     * Id of the worker.
     */
    worker: string;
    /**
     * Failures on this worker.
     */
    count: number;
  }[];
  /**
   * Number of workers on which jobs failed.
   */
  workerCount: number;
  /**
   * Releases, newest first, at most 10.
   */
  releases: {
    /**
     * Revision that the worker ran.
     */
    revision: number;
    /**
     * Failures of this revision.
     */
    count: number;
  }[];
  /**
   * API keys with the most failures, at most 10; absent if users sent all jobs.
   */
  keys?: {
    /**
     * Id of the API key.
     */
    key: string;
    /**
     * Failures of its jobs.
     */
    count: number;
  }[];
  /**
   * Number of API keys whose jobs failed; absent if users sent all jobs.
   */
  keyCount?: number;
}
export interface EndedWorkerList {
  /**
   * Workers, newest end first.
   */
  workers: EndedWorker[];
  /**
   * Time since which all workers are listed. Older ones follow with `nextCursor`.
   */
  readTo: string;
  /**
   * Cursor of the next page; absent if all jobs were read.
   */
  nextCursor?: string;
}
export interface EndedWorker {
  /**
   * Id of the ECS task, which is the `worker` of its jobs.
   */
  id: string;
  /**
   * Revision that the worker ran.
   */
  revision?: number;
  /**
   * Capacity provider or launch type that ran the worker.
   */
  capacity?: string;
  /**
   * Id of the container instance in ECS; absent on Fargate.
   */
  instance?: string;
  /**
   * Type of the instance, such as `g6.xlarge`; absent on Fargate.
   */
  type?: string;
  /**
   * Time at which ECS created the task.
   */
  createdAt?: string;
  /**
   * Time at which the container first asked for jobs; absent if it never did.
   */
  readySince?: string;
  /**
   * Time at which the task stopped.
   */
  endedAt: string;
  /**
   * Why ECS stopped the task, such as `EssentialContainerExited`.
   */
  stopCode?: string;
  /**
   * Messages of ECS about the stop, at most 400 bytes.
   */
  reason?: string;
  /**
   * Container whose exit stopped the task; absent if none has exited.
   */
  container?: string;
  /**
   * Its exit code.
   */
  exitCode?: number;
  /**
   * Price of the worker's time, from its place on a machine to its stop.
   */
  dollars?: number;
  /**
   * Number of jobs that completed on the worker at least two minutes ago.
   */
  completed: number;
  /**
   * Number of jobs that failed on the worker, or exceeded their time.
   */
  failed: number;
  lastError?: LastError;
  /**
   * Stages of the start, until the worker was ready or stopped; absent if they are unknown.
   */
  timeline?: Stage[];
}
export interface EventList {
  /**
   * Events, newest first.
   */
  events: EndpointEvent[];
  /**
   * Time since which all events are listed. Older ones follow with `nextCursor`.
   */
  readTo: string;
  /**
   * Cursor of the next page; absent if all jobs were read.
   */
  nextCursor?: string;
}
export interface EndpointEvent {
  /**
   * `CONDITION`: why workers are missing, as `waitReason`. `BACK_OFF`: the endpoint starts fewer workers, because several failed. `RELEASE`: a release began or ended. `TEMPLATE`: a caller changed the template. `PURGE`, `RESUME`: a caller called the operation. `SCALED`: the number of workers changed. `BUDGET`: how much of a budget is spent.
   */
  kind: 'CONDITION' | 'BACK_OFF' | 'RELEASE' | 'TEMPLATE' | 'PURGE' | 'RESUME' | 'SCALED' | 'BUDGET';
  /**
   * Time of the event.
   */
  at: string;
  /**
   * State before: a condition, the state of a release, a number of workers, or `WITHIN`, `WARNED` (80 %) or `SPENT` for a budget.
   */
  from?: string;
  /**
   * State after it, or `ON` or `OFF` for a back-off; absent if a condition has ended.
   */
  to?: string;
  /**
   * Why: a message about a condition or release, or the reason that the caller gave.
   */
  detail?: string;
  /**
   * Id of the API key whose budget it is; absent for the budget of the endpoint.
   */
  key?: string;
  /**
   * Number of purged jobs.
   */
  jobs?: number;
  /**
   * Revision of the release; absent if none was created.
   */
  revision?: number;
  /**
   * Id of the template of the release or change.
   */
  template?: string;
  /**
   * Its version.
   */
  version?: number;
  /**
   * Names of the fields of the template that changed.
   */
  fields?: string[];
  by?: {
    /**
     * Whether an API key, a user or a command with credentials of AWS caused the event.
     */
    kind: 'key' | 'user' | 'aws';
    /**
     * Id of the key or of the user, or ARN of the credentials.
     */
    id: string;
    /**
     * Name of the key or of the user at that time.
     */
    name: string;
  };
}
export interface EndpointSeries {
  /**
   * Length of a span of time.
   */
  step: 'minute' | 'hour' | 'day';
  /**
   * Spans in which something happened, oldest first.
   */
  points: SeriesPoint[];
  total: SeriesTotal;
  /**
   * Time up to which the spans contain the ends of jobs and the time of workers.
   */
  summedTo: string;
}
export interface SeriesPoint {
  /**
   * Begin of the span.
   */
  from: string;
  /**
   * Numbers of jobs that ended, by code; `COMPLETED` is one of them.
   */
  ended: {
    [k: string]: number;
  };
  /**
   * Number of attempts after which a job was queued again.
   */
  requeued: number;
  /**
   * Waits of the jobs that ended in milliseconds, each within 10 %; absent without such jobs.
   */
  delayTime?: {
    /**
     * 50th percentile.
     */
    p50: number;
    /**
     * 95th percentile.
     */
    p95: number;
    /**
     * 99th percentile.
     */
    p99: number;
  };
  /**
   * Run times of the jobs that ended in milliseconds, each within 10 %; absent without such jobs.
   */
  executionTime?: {
    /**
     * 50th percentile.
     */
    p50: number;
    /**
     * 95th percentile.
     */
    p95: number;
    /**
     * 99th percentile.
     */
    p99: number;
  };
  /**
   * Mean number of waiting jobs; absent without a sample, as are the next four.
   */
  waiting?: number;
  /**
   * Greatest number of waiting jobs.
   */
  maxWaiting?: number;
  /**
   * Longest wait of the oldest waiting job in milliseconds.
   */
  oldestWaiting?: number;
  /**
   * Mean number of running jobs.
   */
  running?: number;
  /**
   * Mean number of workers by state.
   */
  workers?: {
    [k: string]: number;
  };
  /**
   * Number of workers that became ready.
   */
  ready: number;
  /**
   * Mean duration of each stage of their starts, in milliseconds.
   */
  stages: {
    [k: string]: number;
  };
  workerTime: {
    /**
     * Time of workers in milliseconds while workers ran jobs.
     */
    busy: number;
    /**
     * Time of workers in milliseconds while workers were ready and ran none.
     */
    idle: number;
    /**
     * Time of workers in milliseconds from the place of workers on a machine to their first ask for jobs.
     */
    starting: number;
  };
  dollars?: {
    /**
     * Cost in US dollars while workers ran jobs.
     */
    busy: number;
    /**
     * Cost in US dollars while workers were ready and ran none.
     */
    idle: number;
    /**
     * Cost in US dollars from the place of workers on a machine to their first ask for jobs.
     */
    starting: number;
  };
}
export interface SeriesTotal {
  /**
   * Numbers of jobs that ended, by code; `COMPLETED` is one of them.
   */
  ended: {
    [k: string]: number;
  };
  /**
   * Number of attempts after which a job was queued again.
   */
  requeued: number;
  /**
   * Waits of the jobs that ended in milliseconds, each within 10 %; absent without such jobs.
   */
  delayTime?: {
    /**
     * 50th percentile.
     */
    p50: number;
    /**
     * 95th percentile.
     */
    p95: number;
    /**
     * 99th percentile.
     */
    p99: number;
  };
  /**
   * Run times of the jobs that ended in milliseconds, each within 10 %; absent without such jobs.
   */
  executionTime?: {
    /**
     * 50th percentile.
     */
    p50: number;
    /**
     * 95th percentile.
     */
    p95: number;
    /**
     * 99th percentile.
     */
    p99: number;
  };
  /**
   * Mean number of waiting jobs; absent without a sample, as are the next four.
   */
  waiting?: number;
  /**
   * Greatest number of waiting jobs.
   */
  maxWaiting?: number;
  /**
   * Longest wait of the oldest waiting job in milliseconds.
   */
  oldestWaiting?: number;
  /**
   * Mean number of running jobs.
   */
  running?: number;
  /**
   * Mean number of workers by state.
   */
  workers?: {
    [k: string]: number;
  };
  /**
   * Number of workers that became ready.
   */
  ready: number;
  /**
   * Mean duration of each stage of their starts, in milliseconds.
   */
  stages: {
    [k: string]: number;
  };
  workerTime: {
    /**
     * Time of workers in milliseconds while workers ran jobs.
     */
    busy: number;
    /**
     * Time of workers in milliseconds while workers were ready and ran none.
     */
    idle: number;
    /**
     * Time of workers in milliseconds from the place of workers on a machine to their first ask for jobs.
     */
    starting: number;
  };
  dollars?: {
    /**
     * Cost in US dollars while workers ran jobs.
     */
    busy: number;
    /**
     * Cost in US dollars while workers were ready and ran none.
     */
    idle: number;
    /**
     * Cost in US dollars from the place of workers on a machine to their first ask for jobs.
     */
    starting: number;
  };
}
export interface Costs {
  /**
   * A cost for each group, the highest first.
   */
  costs: Cost[];
  total: Cost;
  /**
   * Time up to which the costs of all endpoints are summed.
   */
  summedTo: string;
}
export interface Cost {
  /**
   * Id of the endpoint; absent unless grouped by it.
   */
  endpoint?: string;
  /**
   * Day in UTC; absent unless grouped by it.
   */
  day?: string;
  /**
   * Id of the API key, or `user ` and the name of a user; absent unless grouped by it, and for time without jobs.
   */
  key?: string;
  /**
   * Number of jobs that ended.
   */
  jobs: number;
  workerTime: {
    /**
     * Time of workers in milliseconds while workers ran jobs.
     */
    busy: number;
    /**
     * Time of workers in milliseconds while workers were ready and ran none.
     */
    idle: number;
    /**
     * Time of workers in milliseconds from the place of workers on a machine to their first ask for jobs.
     */
    starting: number;
  };
  dollars: {
    /**
     * US dollars for workers while they ran jobs.
     */
    busy: number;
    /**
     * US dollars for workers that were ready and ran none.
     */
    idle: number;
    /**
     * US dollars for workers that were starting.
     */
    starting: number;
    /**
     * The sum.
     */
    total: number;
  };
  /**
   * Time of workers without a price in milliseconds, such as on Spot.
   */
  unpricedTime: number;
}
export interface Session {
  /**
   * Name of the user in the user pool, or of the key.
   */
  user: string;
  /**
   * Groups of the user; empty for a key.
   */
  groups: string[];
  /**
   * Owner whose private templates the caller can see.
   */
  owner: string;
  /**
   * Operations that the caller may call.
   */
  operations: string[];
  /**
   * Ids of the endpoints that the caller may call; `*` means all.
   */
  endpoints: string[];
}
/**
 * A template to create. Members that only responses have are refused, and unknown members are ignored.
 */
export interface NewTemplate {
  /**
   * Name, unique among all templates regardless of case and spelling.
   */
  name: string;
  /**
   * Container image of the workers.
   */
  imageName: string;
  /**
   * Disk of a worker in GB, empty at its start. Default: `50`.
   */
  containerDiskInGb?: number;
  /**
   * Persistent volume in GB; 0 means no volume. Default: `20`.
   */
  volumeInGb?: number;
  /**
   * Absolute path of the volume in the container, not a folder of the system. Default: `"/workspace"`.
   */
  volumeMountPath?: string;
  /**
   * Id of the registry login that pulls the image; empty for none. Default: `""`.
   */
  containerRegistryAuthId?: string;
  /**
   * Replaces the image's ENTRYPOINT; empty to use the image's own. Default: `[]`.
   *
   * @maxItems 256
   */
  dockerEntrypoint?: string[];
  /**
   * Replaces the image's CMD; empty to use the image's own. Default: `[]`.
   *
   * @maxItems 256
   */
  dockerStartCmd?: string[];
  /**
   * Environment variables. A value `{{secrets:NAME}}` refers to a secret. Default: `{}`.
   */
  env?: {
    [k: string]: string;
  };
  /**
   * Ports that the container listens on, each with one protocol. Default: `[]`.
   *
   * @maxItems 50
   */
  ports?: string[];
  /**
   * Whether other owners can use the template. Default: `false`.
   */
  isPublic?: boolean;
  /**
   * Description in Markdown. Default: `""`.
   */
  readme?: string;
  /**
   * Kind of processors of the workers. Default: `"NVIDIA"`.
   */
  category?: 'NVIDIA' | 'AMD' | 'CPU';
  /**
   * Whether the template is for workers; otherwise it is for Pods. Default: `false`.
   */
  isServerless?: boolean;
}
/**
 * Fields to change. `category` and `isServerless` are refused.
 */
export interface TemplateChanges {
  /**
   * Name, unique among all templates regardless of case and spelling.
   */
  name?: string;
  /**
   * Container image of the workers.
   */
  imageName?: string;
  /**
   * Disk of a worker in GB, empty at its start.
   */
  containerDiskInGb?: number;
  /**
   * Persistent volume in GB; 0 means no volume.
   */
  volumeInGb?: number;
  /**
   * Absolute path of the volume in the container, not a folder of the system.
   */
  volumeMountPath?: string;
  /**
   * Id of the registry login that pulls the image; empty for none.
   */
  containerRegistryAuthId?: string;
  /**
   * Replaces the image's ENTRYPOINT; empty to use the image's own.
   *
   * @maxItems 256
   */
  dockerEntrypoint?: string[];
  /**
   * Replaces the image's CMD; empty to use the image's own.
   *
   * @maxItems 256
   */
  dockerStartCmd?: string[];
  /**
   * Environment variables. A value `{{secrets:NAME}}` refers to a secret.
   */
  env?: {
    [k: string]: string;
  };
  /**
   * Ports that the container listens on, each with one protocol.
   *
   * @maxItems 50
   */
  ports?: string[];
  /**
   * Whether other owners can use the template.
   */
  isPublic?: boolean;
  /**
   * Description in Markdown.
   */
  readme?: string;
  /**
   * Reason for a change of fields that a file declares, which their drift returns.
   */
  reason?: string;
}
/**
 * A template. Only its owner sees the values of `env`; other callers see `********`.
 */
export interface Template {
  /**
   * Id of the template.
   */
  id: string;
  /**
   * Whether the template is official, which means declared in Git.
   */
  isPlatform: boolean;
  /**
   * Credits that the creator has earned.
   */
  earned: number;
  /**
   * Run time of all stopped workers, in minutes.
   */
  runtimeInMin: number;
  /**
   * Version, incremented by each change that replaces workers.
   */
  version: number;
  /**
   * Name, unique among all templates regardless of case and spelling.
   */
  name: string;
  /**
   * Container image of the workers.
   */
  imageName: string;
  /**
   * Disk of a worker in GB, empty at its start.
   */
  containerDiskInGb: number;
  /**
   * Persistent volume in GB; 0 means no volume.
   */
  volumeInGb: number;
  /**
   * Absolute path of the volume in the container, not a folder of the system.
   */
  volumeMountPath: string;
  /**
   * Id of the registry login that pulls the image; empty for none.
   */
  containerRegistryAuthId: string;
  /**
   * Replaces the image's ENTRYPOINT; empty to use the image's own.
   *
   * @maxItems 256
   */
  dockerEntrypoint: string[];
  /**
   * Replaces the image's CMD; empty to use the image's own.
   *
   * @maxItems 256
   */
  dockerStartCmd: string[];
  /**
   * Environment variables. A value `{{secrets:NAME}}` refers to a secret.
   */
  env: {
    [k: string]: string;
  };
  /**
   * Ports that the container listens on, each with one protocol.
   *
   * @maxItems 50
   */
  ports: string[];
  /**
   * Whether other owners can use the template.
   */
  isPublic: boolean;
  /**
   * Description in Markdown.
   */
  readme: string;
  /**
   * Kind of processors of the workers.
   */
  category: 'NVIDIA' | 'AMD' | 'CPU';
  /**
   * Whether the template is for workers; otherwise it is for Pods.
   */
  isServerless: boolean;
  /**
   * File in Git that declares the template, such as `endpoints/echo.yaml`; absent if there is none.
   */
  declaredIn?: string;
  /**
   * Fields whose values differ from the file; absent if there are none, and for callers other than the owner. A deployment that changes the file sets them again.
   */
  drift?: Drift[];
}
/**
 * A field that a client has changed since the file that declares it was deployed.
 */
export interface Drift {
  /**
   * Field of the template, which has its current value.
   */
  field:
    | 'imageName'
    | 'containerDiskInGb'
    | 'volumeInGb'
    | 'volumeMountPath'
    | 'containerRegistryAuthId'
    | 'dockerEntrypoint'
    | 'dockerStartCmd'
    | 'env'
    | 'ports'
    | 'readme';
  /**
   * Value of the field in the file, or its default.
   */
  declared:
    | string
    | number
    | string[]
    | {
        [k: string]: string;
      };
  /**
   * The caller who changed the field last.
   */
  by: {
    /**
     * Whether an API key or a user made the change.
     */
    kind: 'key' | 'user';
    /**
     * Id of the key or of the user.
     */
    id: string;
    /**
     * Name of the key or of the user at the time of the change.
     */
    name: string;
  };
  /**
   * Time at which the field was changed last.
   */
  at: string;
  /**
   * Reason that the caller gave; absent if there is none.
   */
  reason?: string;
}
/**
 * A template in a list.
 */
export interface ListedTemplate {
  /**
   * Id of the template.
   */
  id: string;
  /**
   * Whether the template is official, which means declared in Git.
   */
  isPlatform: boolean;
  /**
   * Credits that the creator has earned.
   */
  earned: number;
  /**
   * Run time of all stopped workers, in minutes.
   */
  runtimeInMin: number;
  /**
   * Version, incremented by each change that replaces workers.
   */
  version: number;
  /**
   * Name, unique among all templates regardless of case and spelling.
   */
  name: string;
  /**
   * Container image of the workers.
   */
  imageName: string;
  /**
   * Disk of a worker in GB, empty at its start.
   */
  containerDiskInGb: number;
  /**
   * Persistent volume in GB; 0 means no volume.
   */
  volumeInGb: number;
  /**
   * Absolute path of the volume in the container, not a folder of the system.
   */
  volumeMountPath: string;
  /**
   * Id of the registry login that pulls the image; empty for none.
   */
  containerRegistryAuthId: string;
  /**
   * Replaces the image's ENTRYPOINT; empty to use the image's own.
   *
   * @maxItems 256
   */
  dockerEntrypoint: string[];
  /**
   * Replaces the image's CMD; empty to use the image's own.
   *
   * @maxItems 256
   */
  dockerStartCmd: string[];
  /**
   * Environment variables. A value `{{secrets:NAME}}` refers to a secret.
   */
  env: {
    [k: string]: string;
  };
  /**
   * Ports that the container listens on, each with one protocol.
   *
   * @maxItems 50
   */
  ports: string[];
  /**
   * Whether other owners can use the template.
   */
  isPublic: boolean;
  /**
   * Description in Markdown.
   */
  readme: string;
  /**
   * Kind of processors of the workers.
   */
  category: 'NVIDIA' | 'AMD' | 'CPU';
  /**
   * Whether the template is for workers; otherwise it is for Pods.
   */
  isServerless: boolean;
  /**
   * File in Git that declares the template, such as `endpoints/echo.yaml`; absent if there is none.
   */
  declaredIn?: string;
  /**
   * Fields whose values differ from the file; absent if there are none, and for callers other than the owner. A deployment that changes the file sets them again.
   */
  drift?: Drift[];
  /**
   * Time at which the file of an official template was deleted. Only endpoints that already use the template can run it.
   */
  withdrawnAt?: string;
}
export interface TemplateInUse {
  /**
   * Id of the template.
   */
  id: string;
  /**
   * Whether the template is official, which means declared in Git.
   */
  isPlatform: boolean;
  /**
   * Credits that the creator has earned.
   */
  earned: number;
  /**
   * Run time of all stopped workers, in minutes.
   */
  runtimeInMin: number;
  /**
   * Version, incremented by each change that replaces workers.
   */
  version: number;
  /**
   * Name, unique among all templates regardless of case and spelling.
   */
  name: string;
  /**
   * Container image of the workers.
   */
  imageName: string;
  /**
   * Disk of a worker in GB, empty at its start.
   */
  containerDiskInGb: number;
  /**
   * Persistent volume in GB; 0 means no volume.
   */
  volumeInGb: number;
  /**
   * Absolute path of the volume in the container, not a folder of the system.
   */
  volumeMountPath: string;
  /**
   * Id of the registry login that pulls the image; empty for none.
   */
  containerRegistryAuthId: string;
  /**
   * Replaces the image's ENTRYPOINT; empty to use the image's own.
   *
   * @maxItems 256
   */
  dockerEntrypoint: string[];
  /**
   * Replaces the image's CMD; empty to use the image's own.
   *
   * @maxItems 256
   */
  dockerStartCmd: string[];
  /**
   * Environment variables. A value `{{secrets:NAME}}` refers to a secret.
   */
  env: {
    [k: string]: string;
  };
  /**
   * Ports that the container listens on, each with one protocol.
   *
   * @maxItems 50
   */
  ports: string[];
  /**
   * Whether other owners can use the template.
   */
  isPublic: boolean;
  /**
   * Description in Markdown.
   */
  readme: string;
  /**
   * Kind of processors of the workers.
   */
  category: 'NVIDIA' | 'AMD' | 'CPU';
  /**
   * Whether the template is for workers; otherwise it is for Pods.
   */
  isServerless: boolean;
  /**
   * File in Git that declares the template, such as `endpoints/echo.yaml`; absent if there is none.
   */
  declaredIn?: string;
  /**
   * Fields whose values differ from the file; absent if there are none, and for callers other than the owner. A deployment that changes the file sets them again.
   */
  drift?: Drift[];
  /**
   * Time at which the file of an official template was deleted. Only endpoints that already use the template can run it.
   */
  withdrawnAt?: string;
  /**
   * Endpoints that use the template, among those that the caller may call.
   */
  endpoints: {
    /**
     * Id of an endpoint that uses the template.
     */
    id: string;
    release?: Release;
  }[];
}
export interface TemplateList {
  /**
   * Templates, sorted by id.
   */
  templates: ListedTemplate[];
  /**
   * Cursor of the next page; absent on the last page.
   */
  nextCursor?: string;
}
export interface RemovedTemplate {
  /**
   * Id of the template.
   */
  id: string;
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
