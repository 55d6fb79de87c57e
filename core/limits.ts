/**
 * Every number of the job contract and of the data layer, once. Durations are milliseconds, sizes are bytes.
 * Source: the job contract ("Limits", "Policy object") and docs/architecture.md.
 */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The latest time that is stored, and the largest number: in the year 2286. Sums of a few of them are exact. */
export const LATEST = 10 ** 13;

/** Bounds and defaults of a job's `policy`; both bounds are allowed values. */
export const policyLimits = {
  executionTimeout: { default: 10 * MINUTE, min: 5_001, max: 7 * DAY },
  ttl: { default: DAY, min: 10 * SECOND, max: 7 * DAY },
} as const;

/** The window of the contract's rate limits. */
export const RATE_WINDOW = 10 * SECOND;

/** A queue is full when more jobs wait than either of these: few jobs never are too many, whatever the workers. */
export const queueLimits = { few: 50, perWorker: 500 } as const;
/** When to ask a full queue again: some jobs must have gone, and the count is about a second behind. */
export const QUEUE_FULL_RETRY = 5 * SECOND;

/**
 * A job of low priority that has waited for `LOW_PRIORITY_PATIENCE` competes with normal ones for workers. Until then its
 * message is looked at again after a pause, while normal jobs wait: some 300 times, of the 1,000 that SQS grants it.
 */
export const LOW_PRIORITY_PATIENCE = 10 * MINUTE;
export const LOW_PRIORITY_PAUSE = SECOND;

/** For so long a repeated request with the same idempotency key stands for the same job. */
export const IDEMPOTENCY_WINDOW = DAY;

/** How long a finished job's result can be read, by the operation that submitted it. */
export const retention = { run: 30 * MINUTE, runsync: MINUTE } as const;

/**
 * Bounds of `?ttl=`, by which a client has a result removed sooner; both are allowed values. One that asks for longer than
 * the result is kept anyway asks for nothing, so the upper bound is as many digits as a number in a query may have.
 */
export const ttlLimits = { min: SECOND, max: 10 ** 15 - 1 } as const;

/** A worker may report this long after a job's execution deadline: its clock and the network are not exact. */
export const REPORT_GRACE = 2 * SECOND;

/** A job is started at most this often per submission or retry; then it ends FAILED with `WORKER_LOST`. */
export const MAX_ATTEMPTS = 3;

/** Jobs that a worker may run at once, at most. */
export const MOST_AT_ONCE = 100;

/** A worker proves that it lives every `BEAT`; without proof for `LEASE` its jobs go to another worker. */
export const BEAT = 10 * SECOND;
export const LEASE = 30 * SECOND;

/** A beat that comes this long after the start of a job names it: by then the SDK has given up its take. */
export const NAMED_AFTER = 2 * BEAT;

/** A worker looks this often whether the jobs that it runs are still its own. */
export const WATCH = SECOND;

/** A handler that is asked to stop has `STOP_GRACE` to finish; then its processes are killed. */
export const STOP_GRACE = 2 * SECOND;
/** A worker whose container has not let go of a lost job after this long takes no more, and ends with its other jobs. */
export const STOP_LIMIT = 10 * SECOND;

/** ECS ends the protection of a worker that does not renew it, so that one that hangs holds up a release no longer. */
export const PROTECTION = 10 * MINUTE;

/**
 * How often, and for how long, a worker that always has jobs goes without protection between two of them: ECS can stop it
 * then, so a release under load ends. The gap costs a worker with one job at a time 0.6 % of its time.
 */
export const PROTECTION_GAP = { every: 15 * MINUTE, length: 5 * SECOND } as const;

/**
 * The same interval for a worker of a stale revision: it must not hold up the release that replaces it. The gaps cost it a
 * seventh of its time until ECS stops it.
 */
export const STALE_PROTECTION_GAP = 30 * SECOND;

/** What ECS says of a service may be older than the last change of the service, by no more than this. */
export const SERVICE_LAG = 15 * SECOND;

/**
 * For so long after a scale-in has begun, ECS may stop any task that is not protected. Meanwhile no worker begins to work
 * unprotected.
 */
export const SCALE_IN_LASTS = 15 * SECOND;

/** A release waits for so long for jobs that workers hold unprotected; then it is left to the sweeper. */
export const RELEASE_PATIENCE = 20 * SECOND;

/** Records of releases are kept for so long after they have run. */
export const RELEASES_KEPT = 90 * DAY;

const KB = 1024;
const MB = 1024 * KB;

export const payloadLimits = {
  /** Largest request body, by the operation that submits it. */
  body: { run: 10 * MB, runsync: 20 * MB },
  /** Largest output of a job, and largest chunk that a worker may send; the latter is cut. */
  output: 20 * MB,
  /** Largest element of the array of `/stream`: a chunk with its metrics. */
  chunk: MB,
  /** Input, output and error stay in the hot item while each has at most this: the item must not pass 1 KB. */
  inline: 200,
  /** So does the address of a webhook up to this, for which there is room beside an input and an output. */
  inlineWebhook: 100,
  /** Up to this a text is an item of the payload table; above, an object costs less than the write units. */
  item: 7 * KB,
  /** An error's text is cut at this many characters: a traceback fits, a dump does not. */
  error: 64 * 1024,
  /** Largest `policy`, `s3Config` and `webhook` of a request body, which are parsed: a tree of values is larger than its text. */
  field: 64 * KB,
  /** Deepest nesting of a request body. */
  depth: 128,
} as const;

/** A response that takes longer than `HEADERS_AFTER` begins without its text, and shows life every `KEEP_ALIVE`. */
export const HEADERS_AFTER = 20 * SECOND;
export const KEEP_ALIVE = 10 * SECOND;

/** Items stay this long after their job is over, then DynamoDB's time-to-live removes them. */
export const REMOVE_AFTER = DAY;

/** Bounds and default of `?wait=` on the calls that wait for a job; both bounds are allowed values. */
export const waitLimits = { default: 90 * SECOND, min: SECOND, max: 300 * SECOND } as const;

/** A call of `/openai/*`: its longest wait, which is the default time-out of OpenAI's clients, and when its status leaves. */
export const openAiLimits = { wait: 10 * MINUTE, headersAfter: 50 * SECOND } as const;

/**
 * A call that waits holds a slot for so long at most, and longer than it may wait. The slot of a function that died is free
 * again after this, and a minute more at most. Slots of a task of the ingress are free sooner (`slotHolding` in `ingress.ts`).
 */
export const WAIT_LEASE = openAiLimits.wait + MINUTE;
/** When to ask again, if all slots of calls that wait are in use. */
export const WAITS_FULL_RETRY = 5 * SECOND;
/** What the setting `waits` may say: calls that may wait at the same time in a whole deployment. */
export const waitsLimits = { min: 1, max: 100_000 } as const;

/**
 * How long `/stream` in the envelope waits for a chunk; its headers leave with the answer. RunPod's Python client, which sends no
 * `wait`, gives a read up after 10 s.
 */
export const streamHold = { default: 7 * SECOND, longest: HEADERS_AFTER } as const;

/** A webhook's URL: most characters, and the ports below 1024 that it may name. */
export const webhookUrlLimits = {
  characters: 2_048,
  ports: [80, 443],
  freePorts: { min: 1_024, max: 65_535 },
} as const;

/** A call of a webhook, which takes 30 s at most: the times of `name`, `answer` and `body` follow each other. */
export const webhookCallLimits = {
  /** The look-up of the host's name. */
  name: 2 * SECOND,
  /** From the first packet to the end of the TLS handshake. */
  connect: 5 * SECOND,
  /** From the first packet to the status. */
  answer: 27 * SECOND,
  /** Largest head of an answer, in bytes, and most answers of status 1xx before it. */
  head: 16 * KB,
  interim: 10,
  /** What is read of the answer's body, which is not used. */
  body: { bytes: 64 * KB, time: SECOND },
} as const;

/** `/requests`: bounds and default of a page's `?limit=`, and how many jobs are looked at for one page. */
export const listLimits = { page: { default: 20, min: 1, max: 100 }, examined: 1_000 } as const;

/** `/webhooks`: bounds and default of a page's `?limit=`. */
export const webhookListLimits = { page: { default: 20, min: 1, max: 100 } } as const;

/**
 * `/logs`: bounds and default of a page's `?limit=`, how many characters of a line are shown, and how many bytes of JSON
 * the lines of a page have at most: a function's answer has 6 MB at most.
 */
export const logLimits = { page: { default: 100, min: 1, max: 1_000 }, message: 16 * KB, bytes: 4 * MB } as const;
/** How long the agent may take to say that it holds a job no more, after the job's end: longer than a stop takes. */
export const LET_GO_WITHIN = STOP_LIMIT + 5 * SECOND;

/**
 * A call that waits looks at its job every `tick` during its first `often`, and once a second later. If a look takes long,
 * the call pauses for `perLook` times as long, and for a second at most. One read is for `batch` jobs at most. A call fails
 * if all reads of its job have failed for `failing`.
 */
export const lookLimits = { tick: 50, often: 5 * SECOND, perLook: 2, batch: 100, failing: 10 * SECOND } as const;

/** A worker without a job is kept this long, where the endpoint does not say otherwise. */
export const idleTimeoutLimits = { default: MINUTE, min: 5 * SECOND, max: HOUR } as const;

/** An HTTP server that is a worker may take this long to start; both bounds are allowed values. */
export const startTimeoutLimits = { default: 5 * MINUTE, min: SECOND, max: HOUR } as const;

/** A worker that was asked for this long ago and is not there waits for capacity. */
export const START_LIMIT = 5 * MINUTE;

/**
 * An endpoint backs off when so many workers in a row fail before they ask for a job, none of them longer ago than
 * `window` before the last. Then one is tried after the first pause, and after ever longer ones.
 */
export const backOffLimits = { failures: 3, window: HOUR, first: MINUTE, longest: HOUR } as const;

/** The agent's exit code when the user's HTTP server was not up for too long; 1 is any other failure. */
export const AGENT_UNHEALTHY = 3;

/**
 * A receiver of webhooks is called at most `most` times, with a pause of `pause` in between. An attempt takes at most
 * `longest`: it loads the message and makes the call. The execution that makes an attempt also holds the next one for
 * `lease`: the rest of the attempt, the pause, and some time to start.
 */
export const webhookAttempts = { most: 3, pause: 10 * SECOND, longest: 45 * SECOND, lease: 75 * SECOND } as const;
/** A delivery that is not over after this is started again: its execution is lost or late. */
export const REDRIVE_AFTER = 5 * MINUTE;

/** How often the sweeper runs. */
export const SWEEP = MINUTE;

/**
 * A timer ends waiting jobs between two sweeps. The sweeper starts timers for jobs whose `ttl` runs out within `ahead`,
 * which is longer than the time until the next sweep; the ledger does so for jobs that come with such a `ttl`. One timer
 * serves at most `jobs` jobs of an endpoint whose deadlines lie in the same `slot`. It runs at the end of the slot, and at
 * least `margin` after each deadline, because clocks differ. A call takes at most `longest`.
 */
export const expiryTimer = {
  ahead: SWEEP + 15 * SECOND,
  slot: 5 * SECOND,
  margin: SECOND,
  jobs: 500,
  longest: 30 * SECOND,
} as const;

/** A job that has waited for so long has lost its message, if a worker has been idle for as long. */
export const MESSAGE_LOST = MINUTE;
/** Messages that one sweep of an endpoint sends again at most; the next sweep sends the rest. */
export const MESSAGES_PER_SWEEP = 1_000;
/** How long one sweep may send the messages of an endpoint that is deployed again: as long as its function may run. */
export const RESEND_CLAIM = 5 * MINUTE;
/** Messages of such an endpoint that are sent at the same time. */
export const RESENT_AT_ONCE = 20;

/**
 * A sweep handles at most `SWEEP_JOBS` due jobs of an endpoint, `SWEEP_AT_ONCE` at a time: all jobs of a long queue that was
 * purged may be due together, and the rest of the sweep must not wait for them.
 */
export const SWEEP_JOBS = 5_000;
export const SWEEP_AT_ONCE = 25;

/** So many endpoints are swept at once, so that one whose sweep takes long does not hold up the others. */
export const SWEPT_AT_ONCE = 10;

/**
 * The changes of an endpoint that cannot be recorded are repeated, and the changes of all endpoints behind them wait for
 * that. After so many repetitions within the time, what cannot be recorded of the endpoint is set aside.
 */
export const ledgerRepeats = { most: 3, within: 10 * MINUTE } as const;
/** So many endpoints are recorded at once. */
export const RECORDED_AT_ONCE = 10;

/** The counters of an endpoint are compared with its jobs this often. */
export const RECONCILE = DAY;
/** A difference that is found is looked for again after this: the ledger may be behind, and never so long. */
export const RECONCILE_AGAIN = 5 * MINUTE;

/**
 * The volume of an endpoint is measured this often, by one worker that has nothing to do. It is another's turn if that
 * takes longer than `longest`, and after `again` if a job came between. What has more entries is measured in part: each
 * is a request to the file system, which is charged.
 */
export const VOLUME_MEASURE = { every: HOUR, longest: 10 * MINUTE, again: 5 * MINUTE, entries: 100_000 } as const;

/** How long a process may use what it read of an endpoint. */
export const ENDPOINT_CACHE = 400;
/**
 * A write that relies on the generation of an endpoint and is answered within this time reached the table at most
 * `PURGE_PAUSE` after that generation was read; a purge answers so long after it has raised the generation.
 */
export const PERMIT = 100;
export const PURGE_PAUSE = ENDPOINT_CACHE + PERMIT;

/** Delay of the message that saves a retry whose process dies half way: the SDK has given up by then. */
export const RETRY_MESSAGE_DELAY = 15 * SECOND;
/** How long a process may use what it read of a client key, and take an endpoint that was there to be there still. */
export const KEY_CACHE = MINUTE;
/** How long a process takes a client key to be unknown that was: a flood of made-up keys costs a read each otherwise. */
export const UNKNOWN_KEY_CACHE = 5 * SECOND;

/** After a rotation of an endpoint's webhook secret the one before signs for so long beside the new one. */
export const WEBHOOK_SECRET_OVERLAP = DAY;
/** How long a process may use the webhook secrets that it has read. */
export const WEBHOOK_SECRET_CACHE = MINUTE;
/** So many secrets of an endpoint sign at once, at most: each makes the headers of every delivery longer. */
export const WEBHOOK_SECRETS = 5;
