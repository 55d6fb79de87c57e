/** Example jobs of all kinds, as entries of a list and as records. */
import type {
  CompletedJob,
  FailedJob,
  InProgressJob,
  InQueueJob,
  JobList,
  JobLog,
  JobSummary,
} from '../../api/job-types.ts';
import type { EndedJob, EndedJobList, Stage } from '../../api/management-types.ts';
import { ago, jobId, MINUTE, workerId } from './clock.ts';

const SECOND = 1000;

type End = readonly [JobSummary['status'], JobSummary['code']?];

const ends: readonly End[] = [
  ['IN_QUEUE'],
  ['IN_QUEUE'],
  ['IN_PROGRESS'],
  ['COMPLETED'],
  ['FAILED', 'WORKER_ERROR'],
  ['COMPLETED'],
  ['TIMED_OUT', 'EXECUTION_TIMEOUT'],
  ['CANCELLED', 'CANCELLED'],
  ['COMPLETED'],
  ['FAILED', 'WORKER_LOST'],
  ['CANCELLED', 'PURGED'],
  ['COMPLETED'],
];

function summary([status, code]: End, number: number): JobSummary {
  const submitted = (4 + 47 * number) * SECOND;
  const waits = status === 'IN_QUEUE';
  const hasRun = !waits && code !== 'PURGED';
  return {
    id: number === 5 ? `sync-${jobId(submitted)}` : jobId(submitted),
    status,
    delayTime: waits ? submitted : 1300 + 870 * number,
    executionTime: hasRun ? 2345 * (number + 1) : 0,
    attempts: hasRun ? (code === 'WORKER_LOST' ? 3 : 1) : 0,
    ...(hasRun && { workerId: workerId(number % 3) }),
    ...(code && { code }),
    createdAt: ago(submitted),
  };
}

export const jobs: readonly JobSummary[] = ends.map(summary);

/** Returns the job list of an endpoint, filtered by the query parameters. */
export function jobList(url: URL): JobList {
  const statuses = url.searchParams.get('status')?.split(',');
  const wanted = jobs.filter(({ status }) => statuses === undefined || statuses.includes(status));
  const limit = Number(url.searchParams.get('limit') ?? wanted.length);
  return { requests: wanted.slice(0, limit), ...(limit < wanted.length && { nextCursor: 'b2xkZXI' }) };
}

export const ID = jobId(42 * SECOND);

export const queued: InQueueJob = {
  id: ID,
  status: 'IN_QUEUE',
  delayTime: 42 * SECOND,
  executionTime: 0,
  attempts: 0,
  queuePosition: 12,
  waitReason: 'NO_CAPACITY',
  waitDetail: `The provider has no capacity for a worker: RESOURCE:GPU. Since ${ago(31 * MINUTE)}.`,
};

export const running: InProgressJob = {
  id: ID,
  status: 'IN_PROGRESS',
  delayTime: 38_200,
  executionTime: 3800,
  workerId: workerId(1),
  attempts: 1,
};

export const completed: CompletedJob = {
  id: ID,
  status: 'COMPLETED',
  delayTime: 4210,
  executionTime: 12_804,
  workerId: workerId(1),
  attempts: 1,
  output: {
    text: 'Rayleigh scattering: air scatters blue light more than red.',
    usage: { prompt_tokens: 14, completion_tokens: 58 },
    seed: 123_456,
    finish_reason: 'stop',
  },
};

/** An exception as RunPod's SDK for Python sends it. */
const exception = {
  error_type: "<class 'torch.OutOfMemoryError'>",
  error_message: 'CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has 23.6 GiB, of which 1.1 GiB is free.',
  error_traceback: `Traceback (most recent call last):
  File "/usr/local/lib/python3.12/site-packages/runpod/serverless/modules/rp_job.py", line 164, in run_job
    handler_return = handler(job)
  File "/app/handler.py", line 41, in handler
    image = pipe(prompt, width=job["width"], height=job["height"]).images[0]
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has 23.6 GiB, of which 1.1 GiB is free.
`,
  hostname: 'ip-10-0-3-17',
  worker_id: 'unknown',
  runpod_version: '1.7.13',
};

export const failed: FailedJob = {
  id: ID,
  status: 'FAILED',
  delayTime: 4210,
  executionTime: 2107,
  workerId: workerId(2),
  attempts: 1,
  code: 'WORKER_ERROR',
  error: JSON.stringify(exception),
};

const line = (time: number, message: string, source: 'worker' | 'agent' = 'worker'): JobLog['lines'][number] => ({
  time: ago(time),
  source,
  chosenBy: 'JOB_ID',
  message,
});

export const log: JobLog = {
  id: ID,
  status: 'FAILED',
  attempts: 1,
  workerId: workerId(2),
  lines: [
    line(37_790, '{"level":"INFO","message":"Job taken","queueDelay":4210}', 'agent'),
    line(37_512, 'loading pipeline stabilityai/sdxl-base'),
    line(36_900, '{"level":"WARN","message":"Slow volume","read_mb_s":41}'),
    line(35_702, 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB'),
    line(35_690, '{"level":"ERROR","message":"The handler failed","attempt":1}', 'agent'),
  ],
};

/** Stages of a wait that began when the example job was submitted. */
export function stages(...times: readonly (readonly [Stage['stage'], number])[]): Stage[] {
  let waited = 0;
  return times.map(([stage, duration]) => {
    const startedAt = ago(42 * SECOND - waited);
    waited += duration;
    return { stage, startedAt, duration };
  });
}

/** A wait of 38.2 s for a worker on a new instance. */
export const coldStart = stages(
  ['QUEUED', 1900],
  ['INSTANCE', 7300],
  ['BOOT', 9400],
  ['IMAGE', 12_900],
  ['WORKER', 6450],
  ['TAKE', 250],
);

/** The row of the example job in the history. */
export const ended: EndedJob = {
  id: ID,
  endpoint: 'chat',
  status: 'FAILED',
  code: 'WORKER_ERROR',
  error: 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.',
  fingerprint: '5f0c11aa92de',
  createdAt: ago(42 * SECOND),
  startedAt: ago(37_790),
  endedAt: ago(35_683),
  delayTime: 4210,
  executionTime: 2107,
  attempts: 1,
  rescues: 0,
  retries: 0,
  lowPriority: false,
  worker: workerId(2),
  revision: 11,
  owner: 'web-shop',
  key: '3f9a1c02d41b',
  inputBytes: 812,
  workerTime: 2107,
  dollars: 0.000_709,
};

export const history = (...jobs: readonly EndedJob[]): EndedJobList => ({ jobs: [...jobs], readTo: ago(0) });

/** The example job with a first attempt whose worker was lost, and a third that failed. */
export const lost: EndedJob = {
  ...ended,
  startedAt: ago(12_000),
  endedAt: ago(4900),
  delayTime: 30_000,
  executionTime: 7100,
  attempts: 3,
  rescues: 2,
  workerTime: 7100,
  dollars: 0.002_39,
  earlierAttempts: [
    {
      attempt: 1,
      worker: workerId(1),
      revision: 11,
      startedAt: ago(37_790),
      endedAt: ago(27_100),
      executionTime: 10_690,
      reason: 'WORKER_LOST',
    },
    {
      attempt: 2,
      worker: workerId(4),
      revision: 11,
      startedAt: ago(25_900),
      endedAt: ago(15_200),
      executionTime: 10_700,
      reason: 'WORKER_STOPPED',
    },
  ],
};
