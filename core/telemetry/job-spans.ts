/**
 * Makes the spans of a job from the rows of its history, after it has ended. A repeated call makes the same spans with
 * the same ids.
 */
import { isWaitFor, type StageName, stagesOf } from '../fleet/stages.ts';
import type { WorkerStart } from '../fleet/start.ts';
import type { EndedAttempt } from '../history/ended-attempt.ts';
import type { EndedDelivery } from '../history/ended-delivery.ts';
import type { EndedJob } from '../history/ended-job.ts';
import { callerSpanIdOf, isSampled } from '../jobs/trace.ts';
import { jobSpanId, type Span, spanIdOf, traceIdOfJob } from './span.ts';

/** Name of the messaging system in the attributes of OpenTelemetry. */
export const SYSTEM = 'gpu_endpoints';

export const priorityOf = ({ lowPriority }: Pick<EndedJob, 'lowPriority'>): 'low' | 'normal' =>
  lowPriority ? 'low' : 'normal';

/** The wait of a job, as `stagesOf` divides it. */
export const waitOf = ({ queuedAt, startedAt, finishedAt }: EndedJob) => ({
  from: queuedAt,
  to: startedAt ?? finishedAt,
  taken: startedAt !== undefined,
});

/** Returns whether a caller that has a trace does not record it: then this job has no spans either. */
const isUnsampled = ({ trace }: { readonly trace?: string | undefined }) => trace !== undefined && !isSampled(trace);

const hasFailed = ({ status }: EndedJob) => status === 'FAILED' || status === 'TIMED_OUT';

const spanName = (stage: StageName) => `stage ${stage.toLowerCase()}`;

/**
 * Returns the spans of a job: the job, its wait, the stages of the cold start if it waited for one, and its last run.
 * @param start of the worker that ran the job, if it is known
 */
export function spansOfJob(job: EndedJob, start: WorkerStart | undefined): Span[] {
  if (isUnsampled(job)) return [];
  const { endpoint, id, retries, queuedAt, startedAt, finishedAt, worker, revision, attempts, code, error } = job;
  const traceId = traceIdOfJob(job);
  const spanId = jobSpanId(id, retries);
  const shared = { 'messaging.message.id': id, endpoint };
  const errorType = hasFailed(job) ? (code ?? job.status) : undefined;
  const failure = errorType && (error ?? errorType);
  const wait = waitOf(job);
  const queue: Span = {
    traceId,
    spanId: spanIdOf('queue', id, retries),
    parentSpanId: spanId,
    name: 'queue',
    kind: 'INTERNAL',
    from: queuedAt,
    to: Math.max(queuedAt, wait.to),
    attributes: shared,
  };
  const stages = start !== undefined && isWaitFor(wait, start) ? stagesOf(wait, start) : [];
  const children: Span[] = stages.map(({ stage, from, duration }) => ({
    ...queue,
    spanId: spanIdOf('stage', id, retries, stage),
    parentSpanId: queue.spanId,
    name: spanName(stage),
    from,
    to: from + duration,
    attributes: { ...shared, 'gpu_endpoints.worker.id': worker, 'gpu_endpoints.stage': stage },
  }));
  const run: Span[] =
    startedAt === undefined
      ? []
      : [
          {
            ...queue,
            spanId: spanIdOf('run', id, retries),
            name: 'run',
            from: startedAt,
            to: Math.max(startedAt, finishedAt),
            attributes: {
              ...shared,
              'gpu_endpoints.attempt': attempts,
              'gpu_endpoints.worker.id': worker,
              release: revision,
              'error.type': errorType,
            },
            error: failure,
          },
        ];
  return [
    {
      ...queue,
      spanId,
      parentSpanId: job.trace && callerSpanIdOf(job.trace),
      name: `process ${endpoint}`,
      kind: 'CONSUMER',
      to: Math.max(queuedAt, finishedAt),
      attributes: {
        'messaging.system': SYSTEM,
        'messaging.operation.name': 'process',
        'messaging.operation.type': 'process',
        'messaging.destination.name': endpoint,
        ...shared,
        'messaging.message.body.size': job.inputBytes,
        priority: priorityOf(job),
        release: revision,
        'gpu_endpoints.worker.id': worker,
        'gpu_endpoints.key.id': job.key,
        'gpu_endpoints.job.status': job.status,
        'gpu_endpoints.job.attempts': attempts,
        'gpu_endpoints.job.retries': retries,
        'gpu_endpoints.job.output.size': job.outputBytes,
        'error.type': errorType,
      },
      error: failure,
    },
    queue,
    ...children,
    ...run,
  ];
}

/** Returns the span of an attempt after which the job was queued again. */
export function spansOfAttempt(row: EndedAttempt): Span[] {
  if (isUnsampled(row)) return [];
  const { endpoint, id, attempt, retries, worker, revision, startedAt, endedAt, reason = 'REQUEUED' } = row;
  return [
    {
      traceId: traceIdOfJob(row),
      spanId: spanIdOf('attempt', id, retries, attempt),
      parentSpanId: jobSpanId(id, retries),
      name: 'attempt',
      kind: 'INTERNAL',
      from: startedAt,
      to: Math.max(startedAt, endedAt),
      attributes: {
        'messaging.message.id': id,
        endpoint,
        'gpu_endpoints.attempt': attempt,
        'gpu_endpoints.worker.id': worker,
        release: revision,
        'error.type': reason,
      },
      error: reason,
    },
  ];
}

/** Returns the span of a call of a webhook's receiver. */
export function spansOfDelivery(row: EndedDelivery): Span[] {
  if (isUnsampled(row)) return [];
  const { endpoint, id, completion, attempt, startedAt, endedAt, status, failure } = row;
  const isRefused = status !== undefined && status !== 200;
  const error = failure ?? (isRefused ? String(status) : undefined);
  return [
    {
      traceId: traceIdOfJob(row),
      spanId: spanIdOf('webhook', id, completion, startedAt, attempt),
      parentSpanId: jobSpanId(id, completion),
      name: 'webhook',
      kind: 'CLIENT',
      from: startedAt,
      to: Math.max(startedAt, endedAt),
      attributes: {
        'messaging.message.id': id,
        endpoint,
        'http.request.method': 'POST',
        'http.response.status_code': status,
        'http.request.resend_count': attempt > 1 ? attempt - 1 : undefined,
        'error.type': error,
      },
      error,
    },
  ];
}
