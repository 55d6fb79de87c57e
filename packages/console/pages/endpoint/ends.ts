/** Sums the jobs of a series as the overview does: cancelled and purged jobs have not failed. */
import type { SeriesTotal } from '../../api/management-types.ts';

const NOT_FAILED: ReadonlySet<string> = new Set(['COMPLETED', 'CANCELLED', 'PURGED']);

export interface Ends {
  readonly completed: number;
  readonly failed: number;
  readonly requeued: number;
}

export function endsOf({ ended, requeued }: Pick<SeriesTotal, 'ended' | 'requeued'>): Ends {
  const sum = (of: (code: string) => boolean) =>
    Object.entries(ended).reduce((total, [code, jobs]) => total + (of(code) ? jobs : 0), 0);
  return { completed: sum((code) => code === 'COMPLETED'), failed: sum((code) => !NOT_FAILED.has(code)), requeued };
}
