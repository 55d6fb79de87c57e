/** What history keeps of an endpoint: its failures, its jobs, its workers and their cost. */
import type {
  Cost,
  Costs,
  EndedJob,
  EndedWorker,
  EndpointLog,
  FailureList,
  Stage,
} from '../../api/management-types.ts';
import { ago, HOUR, jobId, MINUTE, NOW, workerId } from './clock.ts';
import { BROKEN } from './history.ts';

const OUT_OF_MEMORY = 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has 23.6 GiB.';

export const failureList: FailureList = {
  failures: [
    {
      fingerprint: '5f0c9a1b2d3e',
      code: 'WORKER_ERROR',
      error: OUT_OF_MEMORY,
      count: 211,
      first: ago(BROKEN),
      last: ago(2 * MINUTE),
      job: jobId(2 * MINUTE),
      workers: [
        { worker: workerId(2), count: 158 },
        { worker: workerId(0), count: 31 },
        { worker: workerId(4), count: 22 },
      ],
      workerCount: 3,
      releases: [{ revision: 11, count: 211 }],
    },
    {
      fingerprint: 'a81e6c40f7d2',
      code: 'WORKER_ERROR',
      error: "KeyError: 'prompt' <img src=x onerror=alert(1)>",
      count: 9,
      first: ago(20 * HOUR),
      last: ago(4 * HOUR),
      job: jobId(4 * HOUR),
      workers: [{ worker: workerId(1), count: 9 }],
      workerCount: 1,
      releases: [
        { revision: 11, count: 2 },
        { revision: 10, count: 7 },
      ],
    },
    {
      fingerprint: '0d9b7e5c3a11',
      code: 'EXECUTION_TIMEOUT',
      count: 3,
      first: ago(9 * HOUR),
      last: ago(HOUR),
      job: jobId(HOUR),
      workers: [{ worker: workerId(0), count: 3 }],
      workerCount: 1,
      releases: [{ revision: 10, count: 3 }],
    },
  ],
  ended: 2_310,
  failed: 223,
  readTo: ago(24 * HOUR),
};

export const endedJobs: readonly EndedJob[] = Array.from({ length: 8 }, (_, n) => {
  const submitted = (n + 1) * 4 * MINUTE;
  const isFailed = n % 3 === 0;
  return {
    id: jobId(submitted),
    endpoint: 'sdxl',
    status: isFailed ? 'FAILED' : 'COMPLETED',
    ...(isFailed && { code: 'WORKER_ERROR', error: OUT_OF_MEMORY, fingerprint: '5f0c9a1b2d3e' }),
    createdAt: ago(submitted),
    startedAt: ago(submitted - 3_000),
    endedAt: ago(submitted - 9_000 - n * 1_000),
    delayTime: 3_000,
    executionTime: 6_000 + n * 1_000,
    attempts: 1,
    rescues: 0,
    retries: 0,
    lowPriority: false,
    worker: workerId(n % 3),
    revision: 11,
    owner: 'imaging',
    key: '9f2c41d07a3b',
    workerTime: 6_000,
    dollars: 0.0017,
  } satisfies EndedJob;
});

/** Stages of a start that took about three minutes. */
export const timelineFrom = (time: number): Stage[] => {
  let at = time;
  return (
    [
      ['QUEUED', 4_000],
      ['INSTANCE', 41_000],
      ['BOOT', 28_000],
      ['IMAGE', 63_000],
      ['WORKER', 22_000],
    ] as const
  ).map(([stage, duration]) => {
    const startedAt = ago(at);
    at -= duration;
    return { stage, startedAt, duration };
  });
};

const stopped = (number: number, facts: Partial<EndedWorker>): EndedWorker => ({
  id: workerId(number),
  revision: 11,
  capacity: 'nvidia-24gb',
  instance: `i-0${number}`,
  type: 'g6.xlarge',
  createdAt: ago(2 * HOUR),
  readySince: ago(2 * HOUR - 158_000),
  endedAt: ago(HOUR),
  completed: 140,
  failed: 2,
  dollars: 1.01,
  timeline: timelineFrom(2 * HOUR),
  ...facts,
});

const withoutReady = ({ readySince: _, ...worker }: EndedWorker): EndedWorker => worker;

export const endedWorkers: readonly EndedWorker[] = [
  withoutReady(
    stopped(21, {
      createdAt: ago(44 * MINUTE),
      endedAt: ago(41 * MINUTE),
      stopCode: 'EssentialContainerExited',
      reason: 'Essential container in task exited',
      container: 'worker',
      exitCode: 137,
      completed: 0,
      failed: 0,
      dollars: 0.05,
      timeline: timelineFrom(44 * MINUTE).slice(0, 4),
    }),
  ),
  stopped(22, {
    failed: 58,
    completed: 11,
    stopCode: 'TerminationNotice',
    reason: 'The worker was idle.',
    lastError: { job: jobId(HOUR), at: ago(HOUR), code: 'WORKER_ERROR', error: OUT_OF_MEMORY },
  }),
  stopped(23, {
    revision: 10,
    stopCode: 'ServiceSchedulerInitiated',
    reason: 'Scaling activity initiated',
    endedAt: ago(BROKEN),
  }),
];

export const workerLines: EndpointLog = {
  lines: [
    'Loading weights from /models/sdxl',
    'Loaded 4 of 4 shards in 21.4 s',
    '{"level":"error","message":"CUDA out of memory","batch":8}',
    'Killed',
  ].map((message, n) => ({
    time: ago(44 * MINUTE - 30_000 * n),
    source: 'worker' as const,
    worker: workerId(21),
    message,
  })),
  nextCursor: 'bW9yZSBsaW5lcyBmb2xsb3c',
};

export const cost = (busy: number, jobs: number, name: Pick<Cost, 'endpoint' | 'day' | 'key'> = {}): Cost => ({
  ...name,
  jobs,
  workerTime: { busy: busy * 3_580_000, idle: busy * 900_000, starting: busy * 320_000 },
  dollars: { busy, idle: busy * 0.25, starting: busy * 0.09, total: busy * 1.34 },
  unpricedTime: 0,
});

const day = (n: number) => new Date(NOW - n * 24 * HOUR).toISOString().slice(0, 10);

/** Returns the costs of the query. */
export function costsOf(url: URL): Costs {
  const summedTo = ago(2 * MINUTE);
  const total = cost(201.4, 9_870);
  if (url.searchParams.get('by') !== 'key')
    return {
      costs: Array.from({ length: 7 }, (_, n) => cost(n === 0 ? 8.2 : 30 + 3 * n, 1_400 + n, { day: day(n) })),
      total,
      summedTo,
    };
  return {
    costs: [
      cost(120.4, 6_001, { key: '9f2c41d07a3b' }),
      cost(61, 3_700, { key: '0c77ab19e2d4' }),
      cost(2.1, 169, { key: 'user ada' }),
      { ...cost(0, 0), dollars: { busy: 0, idle: 50.2, starting: 18.1, total: 68.3 } },
    ],
    total,
    summedTo,
  };
}
