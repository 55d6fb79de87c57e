/** Makes the spans of the start of a worker, after it was ready or has stopped. */
import { startStagesOf } from '../fleet/stages.ts';
import type { WorkerStart } from '../fleet/start.ts';
import type { EndedWorker } from '../history/ended-worker.ts';
import { derivedTraceId, type Span, spanIdOf } from './span.ts';

/** A start that is over: the worker was ready, or it stopped before. */
export interface EndedStart {
  readonly endpoint: string;
  readonly worker: string;
  readonly start: WorkerStart;
  /** Absent unless the worker stopped before it was ready. */
  readonly stopped?: EndedWorker | undefined;
}

/** Returns the span of the start, and one of each stage. A worker belongs to no request, so its id gives the trace id. */
export function spansOfStart({ endpoint, worker, start, stopped }: EndedStart): Span[] {
  const to = stopped?.endedAt ?? start.readyAt;
  if (start.createdAt === undefined || to === undefined) return [];
  const attributes = {
    endpoint,
    'gpu_endpoints.worker.id': worker,
    release: stopped?.revision,
    pool: stopped?.capacity,
    'error.type': stopped && (stopped.stopCode ?? 'STOPPED'),
  };
  const root: Span = {
    traceId: derivedTraceId('worker', endpoint, worker),
    spanId: spanIdOf('start', endpoint, worker),
    name: `start worker ${endpoint}`,
    kind: 'INTERNAL',
    from: start.createdAt,
    to: Math.max(start.createdAt, to),
    attributes,
    error: stopped && (stopped.reason ?? stopped.stopCode ?? 'STOPPED'),
  };
  const stages = startStagesOf(start, to).map(({ stage, from, duration }) => ({
    ...root,
    spanId: spanIdOf('start', endpoint, worker, stage),
    parentSpanId: root.spanId,
    name: `stage ${stage.toLowerCase()}`,
    from,
    to: from + duration,
    attributes: { endpoint, 'gpu_endpoints.worker.id': worker, 'gpu_endpoints.stage': stage },
    error: undefined,
  }));
  return [root, ...stages];
}
