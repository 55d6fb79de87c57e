import type { Release } from '../../core/endpoints/release.ts';

/**
 * Returns a release in progress.
 * @param revision its ARN, which ends with a colon and its number
 */
export const releaseOf = (revision: string, differences: Partial<Release> = {}): Release => ({
  revision,
  blueprint: 'b',
  template: { id: 'example', version: 1 },
  startedAt: 1,
  state: 'IN_PROGRESS',
  ...differences,
});
