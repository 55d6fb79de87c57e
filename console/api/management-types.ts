/** Written by `npm run console:types` from the OpenAPI document of the interface. */

/**
 * All schemas of the interface by name.
 */
export interface Schemas {
  EndpointList: EndpointList;
  Endpoint: Endpoint;
  Release: Release;
  ReleaseList: ReleaseList;
  Resumed: Resumed;
  KeyList: KeyList;
  NewKey: NewKey;
  CreatedKey: CreatedKey;
  RevokedKey: RevokedKey;
  WorkerList: WorkerList;
  Worker: Worker;
  JobPlace: JobPlace;
  Session: Session;
  Health: Health;
  NewTemplate: NewTemplate;
  TemplateChanges: TemplateChanges;
  Template: Template;
  ListedTemplate: ListedTemplate;
  TemplateInUse: TemplateInUse;
  TemplateList: TemplateList;
  RemovedTemplate: RemovedTemplate;
  Error: Error;
}
export interface EndpointList {
  endpoints: Endpoint[];
}
export interface Endpoint {
  /**
   * Path segment of the job interface.
   */
  id: string;
  /**
   * Container image of the workers; absent of another owner's private template.
   */
  image?: string;
  template?: {
    /**
     * Names the template.
     */
    id: string;
    /**
     * Absent of another owner's private template.
     */
    name?: string;
    /**
     * Raised by each change that replaces workers.
     */
    version?: number;
  };
  /**
   * Workers that are always there.
   */
  minWorkers: number;
  /**
   * The most that are started.
   */
  maxWorkers: number;
  /**
   * Longest run of a job that does not say otherwise, in ms.
   */
  executionTimeout: number;
  /**
   * Without disks, traffic and empty room of instances; absent where no price is known, such as for Spot.
   */
  workerPrice?: {
    /**
     * US dollars that one worker costs an hour, on demand.
     */
    hour: number;
    /**
     * Region of the prices, such as `us-east-1`.
     */
    region: string;
    /**
     * Day of the oldest of them, such as `2026-08-21`.
     */
    date: string;
  };
  /**
   * Inputs that the file of the endpoint shows its users; absent if it has none.
   */
  examples?: {
    /**
     * What the example shows.
     */
    name: string;
    /**
     * An `input` of a job, as JSON.
     */
    input: {};
  }[];
  release?: Release;
  health: Health;
}
/**
 * The last release: what workers were last set to run.
 */
export interface Release {
  /**
   * How far it is; ROLLED_BACK if the workers are again what they were before it.
   */
  state: 'IN_PROGRESS' | 'COMPLETED' | 'ROLLED_BACK' | 'SUPERSEDED';
  /**
   * Version of the template; absent of an endpoint that was deployed before there were templates.
   */
  version?: number;
  /**
   * Number of the revision of the endpoint's task definition; absent if none could be made.
   */
  revision?: number;
  /**
   * When it was released; absent of one from before there was a history.
   */
  startedAt?: string;
  /**
   * When it was complete, rolled back or superseded.
   */
  endedAt?: string;
  /**
   * Why it was rolled back, or does not progress.
   */
  reason?: string;
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
export interface ReleaseList {
  /**
   * The newest first.
   */
  releases: {
    /**
     * How far it is; ROLLED_BACK if the workers are again what they were before it.
     */
    state: 'IN_PROGRESS' | 'COMPLETED' | 'ROLLED_BACK' | 'SUPERSEDED';
    /**
     * Version of the template; absent of an endpoint that was deployed before there were templates.
     */
    version?: number;
    /**
     * Number of the revision of the endpoint's task definition; absent if none could be made.
     */
    revision?: number;
    /**
     * When it was released; absent of one from before there was a history.
     */
    startedAt?: string;
    /**
     * When it was complete, rolled back or superseded.
     */
    endedAt?: string;
    /**
     * Why it was rolled back, or does not progress.
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
export interface Resumed {
  /**
   * Id of the endpoint.
   */
  id: string;
  /**
   * Whether it started no more workers, because several had failed.
   */
  backedOff: boolean;
  /**
   * What had kept workers from becoming ready, as `waitReason` of a job; absent if nothing had.
   */
  reason?: 'NO_CAPACITY' | 'QUOTA' | 'IMAGE_UNAVAILABLE' | 'CANNOT_START' | 'WORKER_EXITS' | 'WORKER_UNHEALTHY';
}
export interface KeyList {
  /**
   * The oldest first.
   */
  keys: {
    /**
     * Names the key: the beginning of a hash of it.
     */
    id: string;
    /**
     * What the key is for.
     */
    name: string;
    /**
     * Who it belongs to.
     */
    owner: string;
    /**
     * Endpoint ids that it may call, `*` for all.
     */
    endpoints: string[];
    /**
     * What it may call, `*` for all.
     */
    operations: string[];
    /**
     * What it may do with templates.
     *
     * @maxItems 3
     */
    scopes: ('templates:read' | 'templates:write' | 'templates:secrets')[];
    /**
     * When it was made.
     */
    createdAt: string;
    /**
     * From when on it is refused; absent if it does not expire.
     */
    expiresAt?: string;
  }[];
}
export interface NewKey {
  /**
   * What the key is for.
   */
  name: string;
  /**
   * Who it belongs to. Without it the name.
   */
  owner?: string;
  /**
   * Endpoint ids that it may call, `*` for all.
   *
   * @minItems 1
   * @maxItems 100
   */
  endpoints?: string[];
  /**
   * What it may call, `*` for all.
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
    | 'releases'
    | 'workers'
    | 'find-job'
    | '*'
  )[];
  /**
   * What it may do with templates.
   *
   * @maxItems 3
   */
  scopes?: ('templates:read' | 'templates:write' | 'templates:secrets')[];
  /**
   * From when on it is refused: a date, or a time in UTC such as 2030-01-31T12:00Z.
   */
  expiresAt?: string;
}
export interface CreatedKey {
  /**
   * Names the key: the beginning of a hash of it.
   */
  id: string;
  /**
   * What the key is for.
   */
  name: string;
  /**
   * Who it belongs to.
   */
  owner: string;
  /**
   * Endpoint ids that it may call, `*` for all.
   */
  endpoints: string[];
  /**
   * What it may call, `*` for all.
   */
  operations: string[];
  /**
   * What it may do with templates.
   *
   * @maxItems 3
   */
  scopes: ('templates:read' | 'templates:write' | 'templates:secrets')[];
  /**
   * When it was made.
   */
  createdAt: string;
  /**
   * From when on it is refused; absent if it does not expire.
   */
  expiresAt?: string;
  /**
   * The key itself. No other answer has it, and only a hash of it is stored.
   */
  secret: string;
}
export interface RevokedKey {
  /**
   * Names the key: the beginning of a hash of it.
   */
  id: string;
}
export interface WorkerList {
  /**
   * By id.
   */
  workers: Worker[];
}
export interface Worker {
  /**
   * Id of the ECS task: `workerId` of its jobs.
   */
  id: string;
  /**
   * The words of `workers` in `Health`; a lease says it up to 10 s late. INITIALIZING: its container has not asked for a job yet. THROTTLED: ECS refuses to protect it, so it takes no job. UNHEALTHY: not heard of for longer than a lease.
   */
  state: 'INITIALIZING' | 'IDLE' | 'RUNNING' | 'THROTTLED' | 'UNHEALTHY';
  /**
   * Since when it is in this state; known of one that is IDLE or UNHEALTHY.
   */
  since?: string;
  /**
   * Since when its container asks for jobs; absent before it has.
   */
  readySince?: string;
  /**
   * When it was heard of last.
   */
  seenAt: string;
  /**
   * Number of the revision of the endpoint's task definition that it runs.
   */
  revision?: number;
  /**
   * Id of the template of that revision.
   */
  template?: string;
  /**
   * Version of that template.
   */
  version?: number;
  /**
   * Ids of the jobs that it holds.
   */
  jobs: string[];
  /**
   * Whether it takes no more jobs and ends with those that it holds.
   */
  retiring: boolean;
  /**
   * While ECS refuses to protect it: whether it may hold jobs all the same.
   */
  unprotected?: 'WORKS' | 'WAITS';
}
export interface JobPlace {
  /**
   * Id of the endpoint of the job.
   */
  endpoint: string;
  /**
   * Names the job.
   */
  id: string;
  status: 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT';
}
export interface Session {
  /**
   * Name of the user in the user pool, or of the key.
   */
  user: string;
  /**
   * Groups of the user; a key has none.
   */
  groups: string[];
  /**
   * Whose private templates the caller sees.
   */
  owner: string;
  /**
   * Operations that the caller may call.
   */
  operations: string[];
  /**
   * Ids of the endpoints that the caller may call; `*` is every one.
   */
  endpoints: string[];
}
/**
 * A template to make. What only answers have is refused, and unknown members are ignored.
 */
export interface NewTemplate {
  /**
   * Unique among all templates, in any case and spelling.
   */
  name: string;
  /**
   * Container image of the workers.
   */
  imageName: string;
  /**
   * Disk of a worker, which is empty when it starts.
   */
  containerDiskInGb?: number;
  /**
   * Volume that stays; 0 is none.
   */
  volumeInGb?: number;
  /**
   * Absolute path of the volume in the container.
   */
  volumeMountPath?: string;
  /**
   * Id of what may pull the image; empty for none.
   */
  containerRegistryAuthId?: string;
  /**
   * In place of the image's ENTRYPOINT; empty for the image's own.
   *
   * @maxItems 256
   */
  dockerEntrypoint?: string[];
  /**
   * In place of the image's CMD; empty for the image's own.
   *
   * @maxItems 256
   */
  dockerStartCmd?: string[];
  /**
   * Environment variables. A value `{{secrets:NAME}}` is that of a secret.
   */
  env?: {
    [k: string]: string;
  };
  /**
   * Ports that the container listens on.
   *
   * @maxItems 50
   */
  ports?: string[];
  /**
   * Whether others may use it.
   */
  isPublic?: boolean;
  /**
   * Markdown.
   */
  readme?: string;
  /**
   * What its workers compute on.
   */
  category?: 'NVIDIA' | 'AMD' | 'CPU';
  /**
   * Whether its instances are workers; otherwise they are Pods.
   */
  isServerless?: boolean;
}
/**
 * What changes; the rest stays. `category` and `isServerless` are refused.
 */
export interface TemplateChanges {
  /**
   * Unique among all templates, in any case and spelling.
   */
  name?: string;
  /**
   * Container image of the workers.
   */
  imageName?: string;
  /**
   * Disk of a worker, which is empty when it starts.
   */
  containerDiskInGb?: number;
  /**
   * Volume that stays; 0 is none.
   */
  volumeInGb?: number;
  /**
   * Absolute path of the volume in the container.
   */
  volumeMountPath?: string;
  /**
   * Id of what may pull the image; empty for none.
   */
  containerRegistryAuthId?: string;
  /**
   * In place of the image's ENTRYPOINT; empty for the image's own.
   *
   * @maxItems 256
   */
  dockerEntrypoint?: string[];
  /**
   * In place of the image's CMD; empty for the image's own.
   *
   * @maxItems 256
   */
  dockerStartCmd?: string[];
  /**
   * Environment variables. A value `{{secrets:NAME}}` is that of a secret.
   */
  env?: {
    [k: string]: string;
  };
  /**
   * Ports that the container listens on.
   *
   * @maxItems 50
   */
  ports?: string[];
  /**
   * Whether others may use it.
   */
  isPublic?: boolean;
  /**
   * Markdown.
   */
  readme?: string;
}
/**
 * A template. Who has not made it sees `********` in place of the values of `env`.
 */
export interface Template {
  /**
   * Names the template.
   */
  id: string;
  /**
   * Whether it is an official one, which is declared in Git.
   */
  isPlatform: boolean;
  /**
   * Credits of its creator.
   */
  earned: number;
  /**
   * Minutes that its workers ran, of those that have ended.
   */
  runtimeInMin: number;
  /**
   * Raised by each change that replaces workers.
   */
  version: number;
  /**
   * Unique among all templates, in any case and spelling.
   */
  name: string;
  /**
   * Container image of the workers.
   */
  imageName: string;
  /**
   * Disk of a worker, which is empty when it starts.
   */
  containerDiskInGb: number;
  /**
   * Volume that stays; 0 is none.
   */
  volumeInGb: number;
  /**
   * Absolute path of the volume in the container.
   */
  volumeMountPath: string;
  /**
   * Id of what may pull the image; empty for none.
   */
  containerRegistryAuthId: string;
  /**
   * In place of the image's ENTRYPOINT; empty for the image's own.
   *
   * @maxItems 256
   */
  dockerEntrypoint: string[];
  /**
   * In place of the image's CMD; empty for the image's own.
   *
   * @maxItems 256
   */
  dockerStartCmd: string[];
  /**
   * Environment variables. A value `{{secrets:NAME}}` is that of a secret.
   */
  env: {
    [k: string]: string;
  };
  /**
   * Ports that the container listens on.
   *
   * @maxItems 50
   */
  ports: string[];
  /**
   * Whether others may use it.
   */
  isPublic: boolean;
  /**
   * Markdown.
   */
  readme: string;
  /**
   * What its workers compute on.
   */
  category: 'NVIDIA' | 'AMD' | 'CPU';
  /**
   * Whether its instances are workers; otherwise they are Pods.
   */
  isServerless: boolean;
}
/**
 * A template in a list.
 */
export interface ListedTemplate {
  /**
   * Names the template.
   */
  id: string;
  /**
   * Whether it is an official one, which is declared in Git.
   */
  isPlatform: boolean;
  /**
   * Credits of its creator.
   */
  earned: number;
  /**
   * Minutes that its workers ran, of those that have ended.
   */
  runtimeInMin: number;
  /**
   * Raised by each change that replaces workers.
   */
  version: number;
  /**
   * Unique among all templates, in any case and spelling.
   */
  name: string;
  /**
   * Container image of the workers.
   */
  imageName: string;
  /**
   * Disk of a worker, which is empty when it starts.
   */
  containerDiskInGb: number;
  /**
   * Volume that stays; 0 is none.
   */
  volumeInGb: number;
  /**
   * Absolute path of the volume in the container.
   */
  volumeMountPath: string;
  /**
   * Id of what may pull the image; empty for none.
   */
  containerRegistryAuthId: string;
  /**
   * In place of the image's ENTRYPOINT; empty for the image's own.
   *
   * @maxItems 256
   */
  dockerEntrypoint: string[];
  /**
   * In place of the image's CMD; empty for the image's own.
   *
   * @maxItems 256
   */
  dockerStartCmd: string[];
  /**
   * Environment variables. A value `{{secrets:NAME}}` is that of a secret.
   */
  env: {
    [k: string]: string;
  };
  /**
   * Ports that the container listens on.
   *
   * @maxItems 50
   */
  ports: string[];
  /**
   * Whether others may use it.
   */
  isPublic: boolean;
  /**
   * Markdown.
   */
  readme: string;
  /**
   * What its workers compute on.
   */
  category: 'NVIDIA' | 'AMD' | 'CPU';
  /**
   * Whether its instances are workers; otherwise they are Pods.
   */
  isServerless: boolean;
  /**
   * When the file of an official template was deleted. It stays for the endpoints that use it, and no other can use it.
   */
  withdrawnAt?: string;
}
export interface TemplateInUse {
  /**
   * Names the template.
   */
  id: string;
  /**
   * Whether it is an official one, which is declared in Git.
   */
  isPlatform: boolean;
  /**
   * Credits of its creator.
   */
  earned: number;
  /**
   * Minutes that its workers ran, of those that have ended.
   */
  runtimeInMin: number;
  /**
   * Raised by each change that replaces workers.
   */
  version: number;
  /**
   * Unique among all templates, in any case and spelling.
   */
  name: string;
  /**
   * Container image of the workers.
   */
  imageName: string;
  /**
   * Disk of a worker, which is empty when it starts.
   */
  containerDiskInGb: number;
  /**
   * Volume that stays; 0 is none.
   */
  volumeInGb: number;
  /**
   * Absolute path of the volume in the container.
   */
  volumeMountPath: string;
  /**
   * Id of what may pull the image; empty for none.
   */
  containerRegistryAuthId: string;
  /**
   * In place of the image's ENTRYPOINT; empty for the image's own.
   *
   * @maxItems 256
   */
  dockerEntrypoint: string[];
  /**
   * In place of the image's CMD; empty for the image's own.
   *
   * @maxItems 256
   */
  dockerStartCmd: string[];
  /**
   * Environment variables. A value `{{secrets:NAME}}` is that of a secret.
   */
  env: {
    [k: string]: string;
  };
  /**
   * Ports that the container listens on.
   *
   * @maxItems 50
   */
  ports: string[];
  /**
   * Whether others may use it.
   */
  isPublic: boolean;
  /**
   * Markdown.
   */
  readme: string;
  /**
   * What its workers compute on.
   */
  category: 'NVIDIA' | 'AMD' | 'CPU';
  /**
   * Whether its instances are workers; otherwise they are Pods.
   */
  isServerless: boolean;
  /**
   * When the file of an official template was deleted. It stays for the endpoints that use it, and no other can use it.
   */
  withdrawnAt?: string;
  /**
   * Of those that the key may call.
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
   * By id.
   */
  templates: ListedTemplate[];
  /**
   * Cursor of the next page; absent on the last page.
   */
  nextCursor?: string;
}
export interface RemovedTemplate {
  /**
   * Names the template.
   */
  id: string;
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
