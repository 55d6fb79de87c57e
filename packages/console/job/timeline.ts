/** Splits the time of a job into phases, as far as its record contains them. */
import { hasEnded, type Job } from './job.ts';

export interface Phase {
  readonly kind: 'waited' | 'ran';
  /** Milliseconds. */
  readonly time: number;
  /** Whether the phase continues. */
  readonly isOpen: boolean;
  /** Width in percent of the bar. */
  readonly share: number;
  readonly detail: string;
}

/** Minimum width of a phase in percent, so that the phase remains visible. */
const NARROWEST = 2;

type Times = Pick<Job, 'status' | 'delayTime' | 'executionTime' | 'attempts' | 'workerId'>;

/**
 * Explains the wait if there were earlier attempts: it counts from the submission or the last retry to the start of
 * the last attempt.
 */
function waitDetail({ status, attempts }: Times): string {
  const earlier = status === 'IN_QUEUE' ? attempts : attempts - 1;
  if (earlier <= 0) return '';
  const which = earlier === 1 ? 'an earlier attempt' : `${earlier} earlier attempts`;
  return `Since it was submitted or last retried, including ${which}.`;
}

const share = (time: number, total: number) =>
  total === 0 ? 100 / 2 : Math.min(100 - NARROWEST, Math.max(NARROWEST, (100 * time) / total));

/** Returns the phases in order: the wait and, if there was an attempt, the run of the last attempt. */
export function timeline(job: Times): readonly Phase[] {
  const { status, delayTime, executionTime, workerId, attempts } = job;
  const waited = { kind: 'waited', time: delayTime, detail: waitDetail(job) } as const;
  const hasRun = status === 'IN_PROGRESS' || (hasEnded(job) && (executionTime > 0 || workerId !== undefined));
  if (!hasRun) return [{ ...waited, isOpen: status === 'IN_QUEUE', share: 100 }];
  const ran = {
    kind: 'ran',
    time: executionTime,
    isOpen: status === 'IN_PROGRESS',
    detail: [attempts > 1 && `Attempt ${attempts}.`, workerId && `Worker ${workerId}.`].filter(Boolean).join(' '),
  } as const;
  const part = share(delayTime, delayTime + executionTime);
  return [
    { ...waited, isOpen: false, share: part },
    { ...ran, share: 100 - part },
  ];
}
