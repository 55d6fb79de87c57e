/** What a sum of an endpoint has read, for the spans that are made of it. */
import type { StartTimes } from '../fleet/start.ts';
import type { EndedAttempt } from '../history/ended-attempt.ts';
import type { EndedDelivery } from '../history/ended-delivery.ts';
import type { EndedJob } from '../history/ended-job.ts';
import type { EndedWorker } from '../history/ended-worker.ts';
import { isWithin, type Span, type WorkerLife } from './worker-time.ts';

/** The life of a worker with the times of its start, and its row if it has stopped. */
export interface KnownLife extends WorkerLife {
  readonly start: StartTimes;
  readonly row?: EndedWorker;
}

/** What is known of an endpoint in a part of its history. */
export interface Happened {
  /** Ends of jobs, each at the time in whose span it counts. */
  readonly ends: readonly { readonly at: number; readonly job: EndedJob }[];
  /** Attempts after which a job was queued again. */
  readonly attempts: readonly EndedAttempt[];
  /** Calls of the receivers of webhooks, if they are kept. */
  readonly deliveries: readonly EndedDelivery[];
  readonly lives: readonly KnownLife[];
}

/** What happened since the last sum of an endpoint. */
export interface News extends Span, Happened {}

/**
 * Returns what happened in the span. The lives are those of all workers that lived in it; the other rows are of the span.
 */
export function newsIn(span: Span, happened: Happened): News {
  const isIn = (at: number) => isWithin(at, span);
  return {
    ...span,
    ends: happened.ends.filter(({ at }) => isIn(at)),
    attempts: happened.attempts.filter(({ endedAt }) => isIn(endedAt)),
    deliveries: happened.deliveries.filter(({ endedAt }) => isIn(endedAt)),
    lives: happened.lives,
  };
}
