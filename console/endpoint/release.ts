/** Releases as people call them. */
import type { Release } from '../api/management-types.ts';

export const releaseStates: Readonly<Record<Release['state'], string>> = {
  IN_PROGRESS: 'Rolling out',
  COMPLETED: 'Complete',
  ROLLED_BACK: 'Rolled back',
  SUPERSEDED: 'Superseded',
};

/** The version of the template; of an endpoint older than templates, the revision of its task definition. */
export function releaseName({ version, revision }: Pick<Release, 'version' | 'revision'>): string {
  if (version !== undefined) return `v${version}`;
  return revision === undefined ? 'unnamed' : `revision ${revision}`;
}
