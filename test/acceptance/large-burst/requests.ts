/** The requests of a burst. The seed determines their order, their jobs and their keys. */
import { type JobOperation, jobRoutes } from '../../../core/operations/routes.ts';
import { numbersOf } from '../../runner/seed.ts';
import { FLOODED, HELD, type KeyName, MISSING, STEADY } from './endpoints.ts';

export interface BurstRequest {
  readonly operation: JobOperation;
  readonly endpoint: string;
  readonly method: string;
  /** Path below `/{endpoint}`. `{job}` is the id of a job that was accepted before. */
  readonly path: string;
  /** Selects the job: a whole number. */
  readonly pick: number;
  readonly body?: string;
  readonly idempotencyKey?: string;
  readonly key: KeyName;
  /** Responses that the contract allows, as a status and code, besides 429. */
  readonly allowed: readonly string[];
  /** Whether a 429 is allowed too. */
  readonly mayBeRefused: boolean;
}

interface Kind {
  readonly operation: JobOperation;
  readonly endpoint: string;
  readonly count: number;
  readonly allowed?: readonly string[];
  /** Returns the parts of the nth request of this kind. */
  readonly make?: (n: number) => Partial<BurstRequest>;
}

/** Number of the first job of the warm-up, so that its jobs are not those of the bursts. */
export const FIRST_OF_WARM_UP = 100_000;

/** Sizes of texts in inputs, which are stored in the job's item, in a separate item, and in an S3 object. */
const SIZES = [0, 0, 0, 0, 3_000, 0, 0, 12_000];
/** One of this many jobs fails. */
const FAILS = 20;
/** Milliseconds of a wait. */
const WAIT = 1_000;
/** Number of different jobs of the `/runsync` calls. */
const SYNCHRONOUS = 200;

/** Returns the input of a job, which its worker returns as output. */
const inputOf = (n: number) => ({ n, text: 'x'.repeat(SIZES[n % SIZES.length] ?? 0) });
/**
 * The error is that of an input. After three other errors in a row the worker is replaced, and the jobs that it is taking
 * begin a second attempt.
 */
const failing = (n: number) => ({ op: 'fail', message: `HTTP 404: no model ${n}` });
const bodyOf = (input: object) => JSON.stringify({ input });

/** Of three requests, two are the same with an idempotency key: a client that sends its request again. */
function submission(n: number): Partial<BurstRequest> {
  const job = n % 3 === 2 ? n - 1 : n;
  const body = bodyOf(job % FAILS === 0 ? failing(job) : inputOf(job));
  return n % 3 === 0 ? { body } : { body, idempotencyKey: `run-${job}` };
}

/** Repeats this many jobs. The warm-up has others, because their results may have expired. */
const synchronous = (jobs: number) => (n: number) => {
  const job = n - (n % FIRST_OF_WARM_UP) + (n % jobs);
  return { path: `runsync?wait=${WAIT}`, body: bodyOf(inputOf(job)), idempotencyKey: `runsync-${job}` };
};

const MALFORMED = [
  '{"input":',
  '{"input":[]}',
  '{}',
  '{"input":{},"policy":{"ttl":9999}}',
  '{"input":{},"webhook":"nowhere"}',
];
const unknownOperations = ['status', 'stream', 'cancel', 'retry'] as const;

/** A result of `/runsync` expires a minute after its job has ended. */
const OF_RUNSYNC = ['200', '404 JOB_EXPIRED'];

/** Bursts that follow each other without a pause. */
const bursts: readonly (readonly Kind[])[] = [
  [
    { operation: 'run', endpoint: FLOODED, count: 2_000, make: submission },
    { operation: 'run', endpoint: STEADY, count: 270, make: submission },
  ],
  [
    { operation: 'run', endpoint: HELD, count: 470, make: submission },
    { operation: 'purge-queue', endpoint: HELD, count: 10 },
    {
      operation: 'run',
      endpoint: FLOODED,
      count: 200,
      allowed: ['400 INVALID_REQUEST'],
      make: (n) => ({ body: String(MALFORMED[n % MALFORMED.length]) }),
    },
    { operation: 'run', endpoint: MISSING, count: 200, allowed: ['404 ENDPOINT_NOT_FOUND'] },
    ...(['other', 'revoked', 'unknown'] as const).map((key) => ({
      operation: 'run' as const,
      endpoint: FLOODED,
      count: 70,
      allowed: ['401 UNAUTHORIZED'],
      make: () => ({ key, mayBeRefused: false }),
    })),
  ],
  [
    { operation: 'status', endpoint: FLOODED, count: 2_020 },
    { operation: 'stream', endpoint: FLOODED, count: 870 },
    {
      operation: 'status-sync',
      endpoint: FLOODED,
      count: 500,
      make: () => ({ path: `status-sync/{job}?wait=${WAIT}` }),
    },
    { operation: 'health', endpoint: FLOODED, count: 870 },
    { operation: 'input', endpoint: FLOODED, count: 100 },
    ...unknownOperations.map((operation) => ({
      operation,
      endpoint: FLOODED,
      count: 50,
      allowed: ['404 JOB_NOT_FOUND'],
      make: () => ({ path: `${operation}/unknown` }),
    })),
    { operation: 'status', endpoint: STEADY, count: 530 },
    { operation: 'stream', endpoint: STEADY, count: 170 },
    { operation: 'health', endpoint: STEADY, count: 270 },
  ],
  [
    { operation: 'runsync', endpoint: FLOODED, count: 1_070, allowed: OF_RUNSYNC, make: synchronous(SYNCHRONOUS) },
    { operation: 'runsync', endpoint: STEADY, count: 230, allowed: OF_RUNSYNC, make: synchronous(SYNCHRONOUS / 2) },
    { operation: 'status', endpoint: HELD, count: 620 },
    { operation: 'health', endpoint: HELD, count: 170 },
  ],
  // The operations with small limits, which these requests exceed even on a slow machine.
  [
    { operation: 'cancel', endpoint: HELD, count: 500 },
    { operation: 'requests', endpoint: HELD, count: 200 },
    { operation: 'purge-queue', endpoint: HELD, count: 20 },
    { operation: 'retry', endpoint: HELD, count: 300, allowed: ['400 JOB_NOT_RETRYABLE'] },
  ],
];

/** Returns the path of the operation's route below the endpoint. */
const pathOf = (operation: JobOperation) => jobRoutes[operation].path.replace('/{endpoint}/', '');

function requestsOf({ operation, endpoint, count, allowed = ['200'], make }: Kind, first: number): BurstRequest[] {
  const [method] = jobRoutes[operation].methods;
  return Array.from({ length: count }, (_, n) => ({
    operation,
    endpoint,
    method,
    path: pathOf(operation),
    pick: 0,
    key: 'wide',
    allowed,
    mayBeRefused: endpoint !== STEADY,
    ...make?.(first + n),
  }));
}

/**
 * Returns the requests of each burst.
 * @param share part of the full number of requests, from 0 to 1
 * @param first number of the first job
 */
export function burstsOf(seed: number, share: number, first: number): BurstRequest[][] {
  const below = numbersOf(seed);
  return bursts.map((kinds) =>
    kinds
      .flatMap((kind) => requestsOf({ ...kind, count: Math.round(kind.count * share) }, first))
      .map((request) => ({ request: { ...request, pick: below(1_000_000) }, place: below(2 ** 31) }))
      .toSorted((one, other) => one.place - other.place)
      .map(({ request }) => request),
  );
}
