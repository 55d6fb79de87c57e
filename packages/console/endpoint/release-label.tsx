/** Shows a release: its version and, unless it is complete, its state. */
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { Release } from '../api/management-types.ts';
import { releaseName, releaseStates } from './release.ts';

const signs: Readonly<Record<Release['state'], StatusIndicatorProps.Type>> = {
  IN_PROGRESS: 'in-progress',
  COMPLETED: 'success',
  ROLLED_BACK: 'warning',
  SUPERSEDED: 'stopped',
};

export function ReleaseLabel({ release }: { readonly release: Release | undefined }) {
  if (!release) return '-';
  const name = releaseName(release);
  if (release.state === 'COMPLETED') return name;
  return (
    <>
      {name} <ReleaseState state={release.state} />
    </>
  );
}

export const ReleaseState = ({ state }: Pick<Release, 'state'>) => (
  <StatusIndicator type={signs[state]} wrapText={false}>
    {releaseStates[state]}
  </StatusIndicator>
);
