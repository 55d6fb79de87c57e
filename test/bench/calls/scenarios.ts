/** The scenarios: one entry each. */

import type { Submission } from './drive.ts';
import type { Figures } from './figures.ts';
import {
  afterWatch,
  apart,
  cancel,
  counted,
  countedAside,
  delivered,
  done,
  occupied,
  polls,
  purge,
  readStream,
  recounted,
  retry,
  type Step,
  submit,
  untaken,
  unwatched,
  written,
} from './steps.ts';

export interface Scenario {
  readonly name: string;
  /** What happens, for the table. */
  readonly title: string;
  /** Steps before the first call that counts. */
  readonly before?: readonly Step[];
  readonly steps: readonly Step[];
  /** For how many jobs; figures are per job. */
  readonly jobs?: number;
  /** Whether the scenario cannot be repeated: there is no second first time. */
  readonly once?: true;
  /** The part of the shared figures that depends on how fast this machine is: up to it, an increase is no growth. */
  readonly slack?: Partial<Figures>;
  /** The part of its own figures that depends on when a waiting call reads its job. */
  readonly ownSlack?: Partial<Figures>;
  /** How long one request is held until its answer, per job, in milliseconds: Lambda charges for it. */
  readonly held?: number;
  /** Calls of a receiver of webhooks, per job. */
  readonly deliveries?: number;
  /** Requests of operations whose calls wait, per job: the ingress serves them, if there is one. */
  readonly waiting?: number;
}

/** A scenario that cannot be measured yet: its route does not exist. */
export interface Pending {
  readonly name: string;
  readonly title: string;
  /** Answered with 404 as long as the route does not exist. */
  readonly method: string;
  readonly path: string;
}

const run = (input: object): Submission => ({ operation: 'run', input });
const small = run({ text: 'hello' });
const polled = [...polls(3, 'COMPLETED'), counted];

/** How long the job of a call that waits runs. The call looks at it every 50 ms, and less often on a busy machine. */
const HELD = 1_420;
/** How long the job runs that streams ten events. */
const STREAMED = 900;
/** A purge answers so long after it was stored, `PURGE_PAUSE` of core/limits.ts, in milliseconds. */
const PURGE_PAUSE = 500;
const KB = 1024;

/** In this order: `first` finds no worker, and the last leaves more than one. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'first',
    title: '`/run` with 3 polls and no worker: one is started',
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
    title: '`/run` with 1 poll, 100 KB in and out',
    steps: [submit(run({ text: 'x'.repeat(100 * KB) })), done(3), unwatched, ...polls(1, 'COMPLETED'), counted],
  },
  {
    name: 'fail',
    title: '`/run` with 1 poll, the handler throws',
    steps: [submit(run({ op: 'fail' })), done(3), unwatched, ...polls(1, 'FAILED'), counted],
  },
  {
    name: 'cancel-queued',
    title: '`/run`, then `/cancel` while it waits',
    before: [occupied(4_500)],
    steps: [submit(small), cancel, countedAside, done(3)],
  },
  {
    name: 'purge-queue',
    title: '`/run`, then `/purge-queue` while it waits',
    before: [occupied(6_000)],
    held: PURGE_PAUSE,
    // At once: the ledger would start another worker, which would take the job.
    steps: [submit(small), purge, countedAside, done(1), untaken],
  },
  {
    name: 'crash',
    title: '`/run` with 1 poll, the handler dies and is started again',
    before: [afterWatch],
    // If the restart takes longer than the worker may use what it read of the endpoint, it reads the endpoint again.
    slack: { calls: 1, rru: 1 },
    steps: [submit(run({ op: 'crash', attempts: 1 })), done(5), unwatched, ...polls(1, 'COMPLETED'), counted],
  },
  {
    name: 'cancel-running',
    title: '`/run`, then `/cancel` after a second of running',
    before: [afterWatch],
    steps: [submit(run({ op: 'sleep', ms: 60_000 })), written(2), apart, apart, cancel, done(3), counted],
  },
  {
    name: 'runsync',
    title: `\`/runsync\` of a job of ${HELD / 1_000} s`,
    before: [afterWatch],
    held: HELD,
    waiting: 1,
    ownSlack: { calls: 8, rru: 8 },
    steps: [submit({ operation: 'runsync', input: { op: 'sleep', ms: HELD } }), done(3), counted],
  },
  {
    name: 'retry',
    title: '`/retry` of a job that has failed, with 1 poll, and it fails again',
    // The late message finds the job ended; that costs a refused write.
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
    title: '`/run` of a job that streams 10 chunks of 100 bytes, and `/stream` when it has ended',
    before: [afterWatch],
    // How many of the chunks come while another is being stored depends on how fast this machine is.
    ownSlack: { calls: 3, wru: 3 },
    steps: [submit(run({ op: 'stream', chunks: 10, size: 100 })), done(3), unwatched, apart, readStream(10), counted],
  },
  {
    name: 'openai',
    title: `\`/openai/*\` of a job of ${HELD / 1_000} s`,
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
    // How many events share a write depends on how fast this machine is, too.
    ownSlack: { calls: 10, wru: 3, rru: 10 },
    steps: [
      submit({ operation: 'openai', input: { stream: true, op: 'stream', chunks: 10, size: 100, ms: 100 } }),
      done(3),
      counted,
    ],
  },
  {
    name: 'run-100',
    title: '100 times `/run` with 3 polls, one request right after the other',
    jobs: 100,
    once: true,
    // Caches end and the ledger writes by the clock, however many jobs have come: on a busy machine few share a call,
    // and each may cost what one alone costs.
    slack: { calls: 2, wru: 0.5, rru: 1.7 },
    steps: [submit(small, 100), done(3), ...polled],
  },
  {
    name: 'webhook-100',
    title: '100 times `/run` with 3 polls and a webhook, one request right after the other',
    jobs: 100,
    once: true,
    deliveries: 1,
    // As above.
    slack: { calls: 2, wru: 0.8, rru: 1.7 },
    steps: [submit({ ...small, webhook: true }, 100), done(3), delivered, ...polled],
  },
];

export const pending: readonly Pending[] = [];
