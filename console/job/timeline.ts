/** Where the time of a job went, as far as its record says. */
import { hasEnded, type Job } from './job.ts';

export interface Phase {
  readonly kind: 'waited' | 'ran';
  /** Milliseconds. */
  readonly time: number;
  /** Whether it continues. */
  readonly isOpen: boolean;
  /** Percent of the bar. */
  readonly share: number;
  readonly detail: string;
}

/** No phase of a bar is narrower, in percent: it could not be seen. */
const NARROWEST = 2;

type Times = Pick<Job, 'status' | 'delayTime' | 'executionTime' | 'attempts' | 'workerId'>;

/** The wait counts from the submission or the last retry to the start of the last attempt, whatever was between. */
function waitDetail({ status, attempts }: Times): string {
  const earlier = status === 'IN_QUEUE' ? attempts : attempts - 1;
  if (earlier <= 0) return '';
  const which = earlier === 1 ? 'an earlier attempt' : `${earlier} earlier attempts`;
  return `Since it was submitted or last retried; the times of ${which} are not kept apart.`;
}

const share = (time: number, total: number) =>
  total === 0 ? 100 / 2 : Math.min(100 - NARROWEST, Math.max(NARROWEST, (100 * time) / total));

/** The phases in order: the wait, and the run of the last attempt if there was one. */
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
