/**
 * How new the job list is. A component of its own: the time changes with every refresh, the table only with its jobs.
 */
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../../session/session.tsx';
import { Freshness } from '../../../shell/freshness.tsx';
import { type JobPage, queryFor } from './use-jobs.ts';

export function JobsFreshness({ page }: { readonly page: JobPage }) {
  // The list itself sends the requests.
  const { dataUpdatedAt, error } = useQuery({ ...queryFor(useClient(), page), enabled: false });
  return <Freshness since={dataUpdatedAt} error={error} />;
}
