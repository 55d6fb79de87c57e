/**
 * All numbers of the job contract and of the data layer. Durations are in milliseconds, sizes in bytes. Source: the job
 * contract ("Limits", "Policy object") and docs/explanation/.
 */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The latest time (in the year 2286) and the largest number that is stored. Sums of a few of them are exact. */
export const LATEST = 10 ** 13;

/** Bounds and defaults of a job's `policy`; both bounds are allowed values. */
export const policyLimits = {
  executionTimeout: { default: 10 * MINUTE, min: 5_001, max: 7 * DAY },
  ttl: { default: DAY, min: 10 * SECOND, max: 7 * DAY },
} as const;

/** Window of the contract's rate limits. */
export const RATE_WINDOW = 10 * SECOND;

/** A queue is full when more than `min` jobs wait, and more than `maxWorkers` times `perWorker`. */
export const queueLimits = { min: 50, perWorker: 500 } as const;
/** `Retry-After` of a full queue: jobs need time to start, and the count is about a second behind. */
export const QUEUE_FULL_RETRY = 5 * SECOND;
/** `Retry-After` if AWS refuses calls because of their rate: DynamoDB adapts to a higher rate in seconds to minutes. */
export const THROTTLED_RETRY = 2 * SECOND;

/**
 * A low-priority job that has waited for `LOW_PRIORITY_PATIENCE` competes with normal jobs. Before that, while normal
 * jobs wait, its message is received again after each pause: about 300 times, of the 1,000 that SQS allows.
 */
export const LOW_PRIORITY_PATIENCE = 10 * MINUTE;
export const LOW_PRIORITY_PAUSE = SECOND;

/** Time for which requests with the same idempotency key return the same job. */
export const IDEMPOTENCY_WINDOW = DAY;

/** Retention of a finished job's result, by the operation that submitted the job. */
export const retention = { run: 30 * MINUTE, runsync: MINUTE } as const;

/**
 * Bounds of `?ttl=`, which shortens the retention of a result; both are allowed values. A value above the retention
 * changes nothing, so the upper bound only limits the number of digits.
 */
export const ttlLimits = { min: SECOND, max: 10 ** 15 - 1 } as const;

/** Time after a job's execution deadline in which its worker may still report, for clock differences and latency. */
export const REPORT_GRACE = 2 * SECOND;

/** Maximum number of attempts per submission or retry. A job lost in its last attempt is FAILED (`WORKER_LOST`). */
export const MAX_ATTEMPTS = 3;

/** Maximum number of jobs that a worker runs concurrently. */
export const MAX_CONCURRENCY = 100;

/** A worker renews its lease every `BEAT`. The jobs of a worker without a renewal for `LEASE` are rescued. */
export const BEAT = 10 * SECOND;
export const LEASE = 30 * SECOND;

/** Minimum time after a job's start at which beats name the job. By then, the SDK has given up the take. */
export const NAMED_AFTER = 2 * BEAT;

/** Interval at which a worker checks that it still holds the jobs that it runs. */
export const WATCH = SECOND;

/** A handler that is asked to stop has `STOP_GRACE` to finish. After that, its processes are killed. */
export const STOP_GRACE = 2 * SECOND;
/** A worker whose container still holds a lost job after this time takes no more jobs, and exits after its last job. */
export const STOP_LIMIT = 10 * SECOND;

/** ECS ends protection that is not renewed within this time, so that a worker that hangs does not block a release. */
export const PROTECTION = 10 * MINUTE;

/**
 * Interval and length of the protection gaps of a worker that always has jobs. ECS can stop the worker in a gap, so
 * that a release under load finishes. The gaps cost a worker with one job at a time 0.6 % of its time.
 */
export const PROTECTION_GAP = { every: 15 * MINUTE, length: 5 * SECOND } as const;

/**
 * Interval of the gaps of a worker of a stale revision, which must not hold up the release that replaces it. The gaps
 * cost the worker a seventh of its time until ECS stops it.
 */
export const STALE_PROTECTION_GAP = 30 * SECOND;

/** Maximum lag between a change of an ECS service and its description by ECS. */
export const SERVICE_LAG = 15 * SECOND;

/**
 * Time after the start of a scale-in in which ECS may stop unprotected tasks, so no worker starts a job unprotected.
 */
export const SCALE_IN_LASTS = 15 * SECOND;

/** Time for which a release waits for jobs that workers hold unprotected. After that, the sweeper continues it. */
export const RELEASE_PATIENCE = 20 * SECOND;

/** Retention of release records. */
export const RELEASES_KEPT = 90 * DAY;

const KB = 1024;
const MB = 1024 * KB;

export const payloadLimits = {
  /** Largest request body, by operation. */
  body: { run: 10 * MB, runsync: 20 * MB },
  /** Largest output of a job, and largest chunk that a worker may send. */
  output: 20 * MB,
  /** Largest element of the array of `/stream`: a chunk with its metrics. Larger chunks are split. */
  chunk: MB,
  /** Largest input, output or error, and largest webhook URL, in the item of a job, if the item has 1 KB or less. */
  inline: 200,
  inlineWebhook: 100,
  /** Largest payload in the payload table. Above this size, an object costs less than the write units. */
  item: 7 * KB,
  /** Maximum length of an error in characters, long enough for a traceback, and of its item in bytes of UTF-8. */
  error: 64 * 1024,
  errorItem: 3 * 64 * 1024,
  /** Largest `policy`, `s3Config` and `webhook` in a request body: their parsed values take more memory than text. */
  field: 64 * KB,
  /** Deepest nesting of a request body. */
  depth: 128,
} as const;

/** Time after which a slow response sends its headers, and interval of its signs of life. See also `openAiLimits`. */
export const HEADERS_AFTER = 20 * SECOND;
export const KEEP_ALIVE = 10 * SECOND;

/** Time between the expiry of a job and the removal of its items by DynamoDB's time-to-live. */
export const REMOVE_AFTER = DAY;

/** Bounds and default of `?wait=` on the calls that wait for a job; both bounds are allowed values. */
export const waitLimits = { default: 90 * SECOND, min: SECOND, max: 300 * SECOND } as const;

/** `/openai/*`: longest wait, which is the default timeout of OpenAI's clients, and time until headers are sent. */
export const openAiLimits = { wait: 10 * MINUTE, headersAfter: 50 * SECOND } as const;

/**
 * Maximum time for which a waiting call holds a slot, longer than its longest wait. The slot of a crashed function is
 * free after this time plus at most a minute. Slots of an ingress task are free sooner (`slotHolding` in `ingress.ts`).
 */
export const WAIT_LEASE = openAiLimits.wait + MINUTE;
/** `Retry-After` if all slots of waiting calls are in use. */
export const WAITS_FULL_RETRY = 5 * SECOND;
/** Bounds of the setting `waits`: calls that can wait at the same time in a deployment. */
export const waitsLimits = { min: 1, max: 100_000 } as const;

/**
 * How long `/stream` with RunPod's response format waits for a chunk before it sends its headers. RunPod's Python
 * client does not send `wait`, and its reads time out after 10 s.
 */
export const streamHold = { default: 7 * SECOND, max: HEADERS_AFTER } as const;

/** A webhook's URL: maximum length in characters, and allowed ports. */
export const webhookUrlLimits = {
  characters: 2_048,
  ports: [80, 443],
  freePorts: { min: 1_024, max: 65_535 },
} as const;

/** Limits of a webhook call, which takes at most 30 s: the times of `name`, `answer` and `body` add up. */
export const webhookCallLimits = {
  /** DNS look-up of the host. */
  name: 2 * SECOND,
  /** From the first packet to the end of the TLS handshake. */
  connect: 5 * SECOND,
  /** From the first packet to the status. */
  answer: 27 * SECOND,
  /** Largest header section of a response in bytes, and most 1xx responses before it. */
  head: 16 * KB,
  interim: 10,
  /** Limits for reading the response's body, which is discarded. */
  body: { bytes: 64 * KB, time: SECOND },
} as const;

/** `/requests`: bounds and default of a page's `?limit=`, and maximum number of jobs that are read for one page. */
export const listLimits = { page: { default: 20, min: 1, max: 100 }, examined: 1_000 } as const;

/** `/webhooks`: bounds and default of a page's `?limit=`. */
export const webhookListLimits = { page: { default: 20, min: 1, max: 100 } } as const;

/**
 * `/logs`: bounds and default of a page's `?limit=`, maximum characters of a line, and maximum bytes of a page's lines
 * in JSON, because a function's response is limited to 6 MB.
 */
export const logLimits = { page: { default: 100, min: 1, max: 1_000 }, message: 16 * KB, bytes: 4 * MB } as const;
/** Time after a job's end in which the agent reports that it has released the job. A stop takes less time. */
export const LET_GO_WITHIN = STOP_LIMIT + 5 * SECOND;

/**
 * A waiting call reads its job every `tick` for the first `fastFor`, then every second. After a slow read, it pauses for
 * `perRead` times the duration of the read, at most a second. One read returns at most `batch` jobs. A call fails if
 * all reads of its job have failed for `failAfter`.
 */
export const pollLimits = { tick: 50, fastFor: 5 * SECOND, perRead: 2, batch: 100, failAfter: 10 * SECOND } as const;

/** Bounds and default of the time for which a worker without a job continues to run. */
export const idleTimeoutLimits = { default: MINUTE, min: 5 * SECOND, max: HOUR } as const;

/** Bounds and default of the start time of a worker that is an HTTP server; both bounds are allowed values. */
export const startTimeoutLimits = { default: 5 * MINUTE, min: SECOND, max: HOUR } as const;

/** Time after which a requested worker that has not started counts as waiting for capacity. */
export const START_LIMIT = 5 * MINUTE;

/**
 * An endpoint backs off when `failures` workers in a row fail within `window`, before they ask for a job. After that,
 * it starts one worker after each pause. The pauses increase from `firstPause` to `maxPause`.
 */
export const backOffLimits = { failures: 3, window: HOUR, firstPause: MINUTE, maxPause: HOUR } as const;

/** Exit code of the agent if the user's HTTP server was unhealthy for too long. All other failures exit with 1. */
export const AGENT_UNHEALTHY = 3;

/**
 * A delivery has at most `max` attempts, with a pause of `pause` between them. An attempt loads the message and calls
 * the URL in at most `maxTime`. The execution of an attempt also claims the next attempt for `lease`: the rest of the
 * current attempt, the pause, and some time to start.
 */
export const webhookAttempts = { max: 3, pause: 10 * SECOND, maxTime: 45 * SECOND, lease: 75 * SECOND } as const;
/** An unfinished delivery is started again after this time, because its execution is lost or late. */
export const REDRIVE_AFTER = 5 * MINUTE;

/** Interval at which the sweeper runs. */
export const SWEEP = MINUTE;

/**
 * Expiry timers end waiting jobs between two sweeps. The sweeper starts them for jobs whose `ttl` runs out within
 * `ahead`, which exceeds the time until the next sweep, and the ledger starts them for new jobs with such a `ttl`.
 * A timer serves at most `jobs` jobs of an endpoint with deadlines in the same `slot`. It runs at the end of the
 * slot, at least `margin` after each deadline, because clocks differ. A call takes at most `maxTime`.
 */
export const expiryTimer = {
  ahead: SWEEP + 15 * SECOND,
  slot: 5 * SECOND,
  margin: SECOND,
  jobs: 500,
  maxTime: 30 * SECOND,
} as const;

/** A job that has waited for this time while a worker was idle has lost its message. */
export const MESSAGE_LOST = MINUTE;
/** Maximum number of messages that one sweep of an endpoint sends again. The next sweep sends the rest. */
export const MESSAGES_PER_SWEEP = 1_000;
/** Time for which one sweep resends the messages of a redeployed endpoint: the timeout of the sweeper's function. */
export const RESEND_TIMEOUT = 5 * MINUTE;
/** Number of messages of a redeployed endpoint that are sent concurrently. */
export const RESENT_AT_ONCE = 20;

/**
 * A sweep checks at most `SWEEP_JOBS` due jobs of an endpoint, `SWEEP_AT_ONCE` at a time. All jobs of a purged queue
 * can be due together, and the rest of the sweep must not wait for them.
 */
export const SWEEP_JOBS = 5_000;
export const SWEEP_AT_ONCE = 25;

/**
 * Changes that cannot be recorded are repeated at most `max` times per endpoint within `within`, because all later
 * changes wait for them. After that, the ledger sets the endpoint's changes aside.
 */
export const ledgerRepeats = { max: 3, within: 10 * MINUTE } as const;
/** Number of endpoints whose changes are recorded concurrently. */
export const RECORDED_AT_ONCE = 10;

/** Interval at which the counters of an endpoint are compared with its jobs. */
export const RECONCILE = DAY;
/** Pause between two steps of the comparison. It exceeds the longest delay of the ledger. */
export const RECONCILE_AGAIN = 5 * MINUTE;

/**
 * One idle worker of an endpoint measures its volume every `every`. Another worker repeats the measurement after
 * `maxTime` if it does not finish, and after `again` if a job interrupts it. A volume with more than `entries` entries
 * is measured in part, because each entry costs a request to the file system.
 */
export const VOLUME_MEASURE = { every: HOUR, maxTime: 10 * MINUTE, again: 5 * MINUTE, entries: 100_000 } as const;

/** Time for which a process caches an endpoint. */
export const ENDPOINT_CACHE = 400;
/**
 * A write that depends on an endpoint's generation must finish within `PERMIT`. It then reached the table at most
 * `PURGE_PAUSE` after the generation was read, and a purge responds `PURGE_PAUSE` after it has raised the generation.
 */
export const PERMIT = 100;
export const PURGE_PAUSE = ENDPOINT_CACHE + PERMIT;

/** Delay of the message that saves a retry if its process crashes halfway. By then, the SDK has given up. */
export const RETRY_MESSAGE_DELAY = 15 * SECOND;
/** Time for which a process caches a client key, and the existence of an endpoint. */
export const KEY_CACHE = 25 * SECOND;
/** Time for which API Gateway caches a decision of the authorizer. With `KEY_CACHE`, it is less than a minute. */
export const DECISION_CACHE = 30 * SECOND;
/** Time for which a process caches that a client key is unknown, so that repeated requests cost no read. */
export const UNKNOWN_KEY_CACHE = 5 * SECOND;

/** Time after a rotation for which an endpoint's previous webhook secret still signs beside the new secret. */
export const WEBHOOK_SECRET_OVERLAP = DAY;
/** Time for which a process caches webhook secrets. */
export const WEBHOOK_SECRET_CACHE = MINUTE;
/** Maximum number of an endpoint's secrets that sign together: each lengthens the headers of every delivery. */
export const WEBHOOK_SECRETS = 5;
