import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { openAiLimits, waitLimits } from '../../core/limits.ts';
import type { waitingOperations } from '../../core/operations/table.ts';
import { callTimeouts } from '../../core/operations/table.ts';
import type { JobOperation } from '../../core/routes.ts';
import { BUFFERED, ServiceFunction } from '../constructs/function.ts';

/** A client reads up to 200 MB, at 2 MB/s after the first 10 MB. */
const STREAMING = Duration.seconds(120);
const WAITING = Duration.millis(waitLimits.max).plus(BUFFERED);
const OPENAI = Duration.millis(openAiLimits.wait).plus(BUFFERED);

interface JobFunction {
  readonly id: string;
  readonly description: string;
  readonly timeout?: Duration;
}

const jobFunctions: Readonly<Record<JobOperation, JobFunction>> = {
  run: { id: 'Run', description: 'POST /{endpoint}/run: accepts a job.', timeout: BUFFERED },
  runsync: {
    id: 'RunSync',
    description: 'POST /{endpoint}/runsync: accepts a job and waits until it ends.',
    timeout: WAITING,
  },
  status: { id: 'Status', description: 'GET and POST /{endpoint}/status/{job}: reads a job.', timeout: BUFFERED },
  input: {
    id: 'Input',
    description: 'GET /{endpoint}/input/{job}: reads the input of a job.',
    timeout: BUFFERED,
  },
  'status-sync': {
    id: 'StatusSync',
    description: 'GET and POST /{endpoint}/status-sync/{job}: waits until a job ends, and reads it.',
    timeout: WAITING,
  },
  stream: {
    id: 'Stream',
    description: 'GET and POST /{endpoint}/stream/{job}: reads the stream of a job.',
    timeout: STREAMING,
  },
  openai: {
    id: 'OpenAi',
    description: 'GET, POST, PUT, PATCH and DELETE /{endpoint}/openai/{path+}: runs a call from an OpenAI client.',
    timeout: OPENAI,
  },
  logs: {
    id: 'Logs',
    description: 'GET /{endpoint}/logs/{job}: lists the log lines of a job.',
    timeout: BUFFERED,
  },
  cancel: {
    id: 'Cancel',
    description: 'POST /{endpoint}/cancel/{job}: cancels a job.',
    timeout: Duration.millis(callTimeouts.cancel),
  },
  retry: {
    id: 'Retry',
    description: 'POST /{endpoint}/retry/{job}: runs a failed job again.',
    timeout: BUFFERED,
  },
  'purge-queue': {
    id: 'PurgeQueue',
    description: 'POST /{endpoint}/purge-queue: cancels all waiting jobs.',
    // A purge can count jobs for almost as long as API Gateway waits (`purgeCount` in core/jobs/purge-queue.ts).
    timeout: BUFFERED,
  },
  requests: {
    id: 'Requests',
    description: 'GET /{endpoint}/requests: lists jobs, newest first.',
    timeout: Duration.millis(callTimeouts.requests),
  },
  webhooks: {
    id: 'Webhooks',
    description: 'GET /{endpoint}/webhooks: lists failed webhook deliveries.',
    timeout: BUFFERED,
  },
  resend: {
    id: 'Resend',
    description: 'POST /{endpoint}/webhooks/{job}/resend: repeats a failed webhook delivery.',
    timeout: BUFFERED,
  },
  health: { id: 'Health', description: 'GET /{endpoint}/health: counts jobs and workers.' },
};

type WaitingOperation = (typeof waitingOperations)[number];

/** The functions of the job interface. Operations that the ingress serves have no function. */
export type JobFunctions = Readonly<
  Record<Exclude<JobOperation, WaitingOperation>, ServiceFunction> & Partial<Record<WaitingOperation, ServiceFunction>>
>;

/**
 * Creates one function for each operation of the job interface, without grants.
 * @param served operations that the ingress serves
 */
export function createJobFunctions(scope: Construct, served: readonly WaitingOperation[]): JobFunctions {
  const created = Object.entries(jobFunctions)
    .filter(([operation]) => !served.some((one) => one === operation))
    .map(([operation, { id, ...props }]) => [
      operation,
      new ServiceFunction(scope, id, { entry: `lambda/jobs/${operation}.ts`, ...props }),
    ]);
  return Object.fromEntries(created) as JobFunctions;
}
