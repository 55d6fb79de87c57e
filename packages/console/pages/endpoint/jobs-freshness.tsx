/**
 * Shows when the job list was updated. The component is separate from the table, so that a refresh without changes
 * does not render the table.
 */
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/session.tsx';
import { Freshness } from '../../shell/freshness.tsx';
import { type JobPage, queryFor } from './use-jobs.ts';

export function JobsFreshness({ page }: { readonly page: JobPage }) {
  // The table sends the requests.
  const { dataUpdatedAt, error } = useQuery({ ...queryFor(useClient(), page), enabled: false });
  return <Freshness since={dataUpdatedAt} error={error} />;
}
