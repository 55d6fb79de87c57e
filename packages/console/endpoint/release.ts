/** Display names of releases and of their states. */
import type { Release } from '../api/management-types.ts';

export const releaseStates: Readonly<Record<Release['state'], string>> = {
  IN_PROGRESS: 'Rolling out',
  COMPLETED: 'Complete',
  ROLLED_BACK: 'Rolled back',
  SUPERSEDED: 'Superseded',
};

/** Returns the version of the template. If the release has no template, returns the task definition's revision. */
export function releaseName({ version, revision }: Pick<Release, 'version' | 'revision'>): string {
  if (version !== undefined) return `v${version}`;
  return revision === undefined ? 'unnamed' : `revision ${revision}`;
}
