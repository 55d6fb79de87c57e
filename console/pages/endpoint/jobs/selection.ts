/** Selected jobs, which stay selected while the user goes to other pages of the list. */
import type { JobSummary } from '../../../api/job-types.ts';

/**
 * @param selected those of all pages until now
 * @param shown the jobs of the present page
 * @param chosen those of them that are selected now
 * @returns those of other pages, then those of this one
 */
export function withSelection(
  selected: readonly JobSummary[],
  shown: readonly JobSummary[],
  chosen: readonly JobSummary[],
): JobSummary[] {
  const here = new Set(shown.map(({ id }) => id));
  return [...selected.filter(({ id }) => !here.has(id)), ...chosen];
}
