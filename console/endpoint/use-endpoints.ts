/** The queries that pages share: all endpoints that the user may see, and the workers of one. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Client } from '../api/client.ts';
import type { Endpoint, EndpointList, WorkerList } from '../api/management-types.ts';
import { every, intervals } from '../api/polling.ts';
import { useClient } from '../session/session.tsx';
import { addSamples } from './seen.ts';

export const endpointsKey = ['endpoints'] as const;

/** Milliseconds for which names and examples of endpoints count as current: only a deployment changes them. */
const FRESH = 60_000;

const queryFor = (client: Client) =>
  queryOptions({
    queryKey: endpointsKey,
    queryFn: async ({ signal }) => {
      const list = await client.json<EndpointList>('/v1/endpoints', { signal });
      addSamples(list, Date.now());
      return list;
    },
  });

/** The list as it was within the last minute, for its names and examples. */
export const knownEndpoints = (client: Client) => ({ ...queryFor(client), staleTime: FRESH });

/** Reads the list repeatedly while the page is shown. */
export function useEndpoints() {
  const client = useClient();
  return useQuery({ ...queryFor(client), refetchInterval: every(intervals.endpoint) });
}

/** Endpoints as they were within the last minute; empty until they are known. */
export function useKnownEndpoints(): readonly Endpoint[] {
  const { data } = useQuery(knownEndpoints(useClient()));
  return data?.endpoints ?? [];
}

/** The endpoint, undefined until it is known or if there is none, with the query that it comes from. */
export function useEndpoint(id: string) {
  // Only a change of the fields that are read here draws the page again: the start of a refresh does not.
  const { data, error, dataUpdatedAt, refetch } = useEndpoints();
  const endpoint: Endpoint | undefined = data?.endpoints.find((one) => one.id === id);
  return { data, error, dataUpdatedAt, refetch, endpoint };
}

/** The workers of an endpoint that report. */
export const workersOf = (client: Client, endpoint: string) =>
  queryOptions({
    queryKey: ['workers', endpoint],
    queryFn: ({ signal }) =>
      client.json<WorkerList>(`/v1/endpoints/${encodeURIComponent(endpoint)}/workers`, { signal }),
  });
