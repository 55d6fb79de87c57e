/** The workers of an endpoint that report: one query for the page of the endpoint and those of templates. */
import { queryOptions } from '@tanstack/react-query';
import type { Client } from '../api/client.ts';
import type { WorkerList } from '../api/management-types.ts';

export const workersOf = (client: Client, endpoint: string) =>
  queryOptions({
    queryKey: ['workers', endpoint],
    queryFn: ({ signal }) =>
      client.json<WorkerList>(`/v1/endpoints/${encodeURIComponent(endpoint)}/workers`, { signal }),
  });
