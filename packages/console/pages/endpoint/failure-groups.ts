/** Merges the groups of failures of several pages, and finds the jobs that can be retried. */
import type { EndedJob, FailureGroup, FailureList } from '../../api/management-types.ts';
import { keptMinutes, MAX_KEPT_MINUTES } from '../../job/kept.ts';
import { MINUTE } from '../../units.ts';

const merged = <Entry extends { readonly count: number }>(
  one: readonly Entry[],
  other: readonly Entry[],
  nameOf: (entry: Entry) => string | number,
): Entry[] => {
  const counts = new Map(one.map((entry) => [nameOf(entry), entry]));
  for (const entry of other) {
    const known = counts.get(nameOf(entry));
    counts.set(nameOf(entry), known ? { ...known, count: known.count + entry.count } : entry);
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count);
};

/**
 * @param pages newest first
 * @returns the groups, the largest first. A worker that is in several pages counts once only if each page names it.
 */
export function groupsOf(pages: readonly Pick<FailureList, 'failures'>[]): FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const group of pages.flatMap(({ failures }) => failures)) {
    const newer = groups.get(group.fingerprint);
    if (!newer) {
      groups.set(group.fingerprint, group);
      continue;
    }
    const workers = merged(newer.workers, group.workers, ({ worker }) => worker);
    groups.set(group.fingerprint, {
      ...newer,
      count: newer.count + group.count,
      first: group.first,
      workers,
      workerCount: Math.max(newer.workerCount, group.workerCount, workers.length),
      releases: merged(newer.releases, group.releases, ({ revision }) => revision),
    });
  }
  return [...groups.values()].toSorted((a, b) => b.count - a.count);
}

/** Returns the ids of the jobs whose input the service still has. */
export function retryable(jobs: readonly Pick<EndedJob, 'id' | 'endedAt'>[], now: number): string[] {
  const kept = jobs.filter(({ id, endedAt }) => now - Date.parse(endedAt) < keptMinutes(id) * MINUTE);
  return [...new Set(kept.map(({ id }) => id))];
}

/** @returns whether the service still has the input of a job of the group, because the last one ended lately */
export const hasInputs = ({ last }: Pick<FailureGroup, 'last'>, now: number): boolean =>
  now - Date.parse(last) < MAX_KEPT_MINUTES * MINUTE;
