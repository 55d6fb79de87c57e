/** Queries that several pages use: all endpoints that the user may see, the workers of one endpoint, and the alarms. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Client } from '../api/client.ts';
import type { AlarmList, Endpoint, EndpointList, WorkerList } from '../api/management-types.ts';
import { every, intervals } from '../api/polling.ts';
import { useClient } from '../session/session.tsx';

export const endpointsKey = ['endpoints'] as const;

/** Milliseconds for which the names and examples of endpoints are cached. Only a deployment changes them. */
const FRESH = 60_000;

const queryFor = (client: Client) =>
  queryOptions({
    queryKey: endpointsKey,
    queryFn: ({ signal }) => client.json<EndpointList>('/v1/endpoints', { signal }),
  });

/** Query of the endpoints whose response can be a minute old, which is recent enough for names and examples. */
export const knownEndpoints = (client: Client) => ({ ...queryFor(client), staleTime: FRESH });

/** Reads the list repeatedly while the page is shown. */
export function useEndpoints() {
  const client = useClient();
  return useQuery({ ...queryFor(client), refetchInterval: every(intervals.endpoint) });
}

/** Returns the endpoints, at most a minute old; empty until the first response. */
export function useKnownEndpoints(): readonly Endpoint[] {
  const { data } = useQuery(knownEndpoints(useClient()));
  return data?.endpoints ?? [];
}

/**
 * Returns the query of the endpoints and the endpoint with this id. The endpoint is undefined if the list does not
 * contain it.
 */
export function useEndpoint(id: string) {
  // Only a change of these fields renders the page again. The start of a refresh does not.
  const { data, error, dataUpdatedAt, refetch } = useEndpoints();
  const endpoint: Endpoint | undefined = data?.endpoints.find((one) => one.id === id);
  return { data, error, dataUpdatedAt, refetch, endpoint };
}

/** The alarms of the deployment. All pages share the answer. */
export const alarmsFor = (client: Client) =>
  queryOptions({
    queryKey: ['alarms'],
    queryFn: ({ signal }) => client.json<AlarmList>('/v1/alarms', { signal }),
  });

/** Query of the endpoint's workers that report their state. */
export const workersOf = (client: Client, endpoint: string) =>
  queryOptions({
    queryKey: ['workers', endpoint],
    queryFn: ({ signal }) =>
      client.json<WorkerList>(`/v1/endpoints/${encodeURIComponent(endpoint)}/workers`, { signal }),
  });
