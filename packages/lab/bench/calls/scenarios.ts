/** The scenarios that `npm run bench -w packages/lab -- calls` measures. */

import type { Figures } from '../../../../bin/job-calls/figures.ts';
import type { ScenarioFacts } from '../../../../bin/job-calls/record.ts';
import type { Submission } from './drive.ts';
import {
  afterWatch,
  apart,
  cancel,
  cancelAfterCheck,
  counted,
  countedAside,
  delivered,
  done,
  occupied,
  polls,
  purge,
  queued,
  readStream,
  recounted,
  retry,
  type Step,
  submit,
  untaken,
  unwatched,
  written,
} from './steps.ts';

export interface Scenario extends ScenarioFacts {
  readonly name: string;
  /** Steps before the first call that counts. */
  readonly before?: readonly Step[];
  readonly steps: readonly Step[];
  /**
   * Number of jobs that the only worker runs at the same time, on a service of its own (`concurrent.ts`).
   * @default 1
   */
  readonly concurrency?: number;
  /** Whether the scenario is measured only once, without a retry or a median. */
  readonly once?: true;
  /** Increase of the shared figures that does not count as growth, because it depends on the speed of the machine. */
  readonly slack?: Partial<Figures>;
  /** Increase of the own figures that does not count as growth, because it depends on the speed of the machine. */
  readonly ownSlack?: Partial<Figures>;
}

/** Returns the facts of a scenario that are recorded with its measurement. */
export function factsOf({ title, jobs, held, deliveries, waiting }: Scenario): ScenarioFacts {
  return {
    title,
    ...(jobs !== undefined && { jobs }),
    ...(held !== undefined && { held }),
    ...(deliveries !== undefined && { deliveries }),
    ...(waiting !== undefined && { waiting }),
  };
}

/** A scenario that cannot be measured yet, because its route does not exist. */
export interface Pending {
  readonly name: string;
  readonly title: string;
  /** Method of the request that shows whether the route exists. */
  readonly method: string;
  readonly path: string;
}

const run = (input: object): Submission => ({ operation: 'run', input });
const small = run({ text: 'hello' });
const polled = [...polls(3, 'COMPLETED'), counted];

/**
 * Run time of a job whose call waits, in milliseconds. The call reads the job every 50 ms, or less often on a busy
 * machine.
 */
const HELD = 1_420;
/** Run time of the job that streams ten events, in milliseconds. */
const STREAMED = 900;
/**
 * Milliseconds from the storage of a purge to its response: the pause (`PURGE_PAUSE` of core/limits.ts), and the time in
 * which the ledger counts the markers.
 */
const PURGED = 2_000;
/** Number of jobs that wait for a worker with several slots. */
const DUE = 150;
const KB = 1024;

/** The order matters: `first` needs a service without workers, and `webhook-100` leaves several workers. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'first',
    title: '`/run` with 3 polls while no worker runs; a worker is started',
    once: true,
    steps: [submit(small), done(3), ...polled],
  },
  { name: 'run', title: '`/run` with 3 polls', steps: [submit(small), done(3), unwatched, ...polled] },
  {
    name: 'webhook',
    title: '`/run` with 3 polls and a webhook that is acknowledged',
    deliveries: 1,
    steps: [submit({ ...small, webhook: true }), done(3), delivered, unwatched, ...polled],
  },
  {
    name: 'large',
    title: '`/run` with 1 poll; the input and the output have 100 KB each',
    steps: [submit(run({ text: 'x'.repeat(100 * KB) })), done(3), unwatched, ...polls(1, 'COMPLETED'), counted],
  },
  {
    name: 'fail',
    title: '`/run` with 1 poll; the handler throws an error',
    steps: [submit(run({ op: 'fail' })), done(3), unwatched, ...polls(1, 'FAILED'), counted],
  },
  {
    name: 'cancel-queued',
    title: '`/run`, then `/cancel` while the job waits',
    before: [occupied(4_500)],
    steps: [submit(small), cancel, countedAside, done(3)],
  },
  {
    name: 'purge-queue',
    title: '`/run`, then `/purge-queue` while the job waits',
    before: [occupied(8_000)],
    held: PURGED,
    // The purge asks the ledger every 250 ms, so the number of its reads depends on when the ledger's batch begins.
    slack: { calls: 5, rru: 5 },
    // Purges immediately, because otherwise the ledger starts another worker, which takes the job.
    steps: [submit(small), purge, countedAside, done(1), untaken],
  },
  {
    name: 'crash',
    title: '`/run` with 1 poll; the handler crashes and is restarted',
    before: [afterWatch],
    // If the restart takes longer than the worker caches the endpoint, the worker reads the endpoint again.
    slack: { calls: 1, rru: 1 },
    steps: [submit(run({ op: 'crash', attempts: 1 })), done(5), unwatched, ...polls(1, 'COMPLETED'), counted],
  },
  {
    name: 'cancel-running',
    title: '`/run`, then `/cancel` after the worker has checked the running job once',
    steps: [submit(run({ op: 'sleep', ms: 60_000 })), written(2), cancelAfterCheck, done(3), counted],
  },
  {
    name: 'runsync',
    title: `\`/runsync\` of a job that takes ${HELD / 1_000} s`,
    before: [afterWatch],
    held: HELD,
    waiting: 1,
    ownSlack: { calls: 8, rru: 8 },
    steps: [submit({ operation: 'runsync', input: { op: 'sleep', ms: HELD } }), done(3), counted],
  },
  {
    name: 'retry',
    title: '`/retry` of a failed job, with 1 poll; the job fails again',
    // The message of the retry arrives after the job has ended: a worker tries to take the job and is refused.
    steps: [
      submit(run({ op: 'fail' })),
      done(3),
      counted,
      apart,
      recounted,
      retry,
      done(4),
      unwatched,
      ...polls(1, 'FAILED'),
      counted,
    ],
  },
  {
    name: 'stream',
    waiting: 1,
    title: '`/run` of a job that streams 10 chunks of 100 bytes, then `/stream` after the job has ended',
    before: [afterWatch],
    // The number of chunks that arrive while another chunk is being stored depends on the speed of the machine.
    ownSlack: { calls: 3, wru: 3 },
    steps: [submit(run({ op: 'stream', chunks: 10, size: 100 })), done(3), unwatched, apart, readStream(10), counted],
  },
  {
    name: 'openai',
    title: `\`/openai/*\` of a job that takes ${HELD / 1_000} s`,
    before: [afterWatch],
    held: HELD,
    waiting: 1,
    ownSlack: { calls: 8, rru: 8 },
    steps: [submit({ operation: 'openai', input: { op: 'sleep', ms: HELD } }), done(3), counted],
  },
  {
    name: 'openai-stream',
    title: '`/openai/*` of a job that streams 10 events of 100 bytes, 0.1 s apart',
    before: [afterWatch],
    held: STREAMED,
    waiting: 1,
    // The number of events that share a write depends on the speed of the machine.
    ownSlack: { calls: 10, wru: 3, rru: 10 },
    steps: [
      submit({ operation: 'openai', input: { stream: true, op: 'stream', chunks: 10, size: 100, ms: 100 } }),
      done(3),
      counted,
    ],
  },
  {
    name: 'run-100',
    title: '100 `/run` requests in direct sequence, each with 3 polls',
    jobs: 100,
    once: true,
    // Caches expire, and the ledger stores its changes, at fixed intervals. On a busy machine fewer jobs fall into an interval and
    // share its calls, so that each may cost as much as a single job.
    slack: { calls: 2, wru: 0.5, rru: 1.7 },
    steps: [submit(small, 100), done(3), ...polled],
  },
  {
    name: 'webhook-100',
    title: '100 `/run` requests in direct sequence, each with 3 polls and a webhook',
    jobs: 100,
    once: true,
    deliveries: 1,
    // On a busy machine, fewer jobs share a call, as in `run-100`.
    slack: { calls: 2, wru: 0.8, rru: 1.7 },
    steps: [submit({ ...small, webhook: true }, 100), done(3), delivered, ...polled],
  },
  {
    name: 'concurrency-30',
    title: `${DUE} \`/run\` requests without polls; all wait when a worker with \`concurrency: 30\` takes the first`,
    jobs: DUE,
    concurrency: 30,
    before: [occupied(10_000, 30)],
    // How many slots are free at the same time, and how many jobs share an interval, depends on the speed of the machine.
    ownSlack: { calls: 1, sqs: 1 },
    slack: { calls: 2, wru: 0.5, rru: 1.7 },
    steps: [submit(small, DUE), queued, done(3)],
  },
];

export const pending: readonly Pending[] = [];
