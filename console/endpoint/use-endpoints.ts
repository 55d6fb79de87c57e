/** All endpoints that the user may see: one query for the overview, the page of an endpoint and the search. */
import { useQuery } from '@tanstack/react-query';
import type { Endpoint, EndpointList } from '../api/management-types.ts';
import { every, intervals } from '../api/polling.ts';
import { useClient } from '../session/session.tsx';
import { record } from './seen-store.ts';

export const endpointsKey = ['endpoints'] as const;

/** Asks again and again while the page is shown. */
export function useEndpoints() {
  const client = useClient();
  return useQuery({
    queryKey: endpointsKey,
    queryFn: async ({ signal }) => {
      const list = await client.json<EndpointList>('/v1/endpoints', { signal });
      record(list, Date.now());
      return list;
    },
    refetchInterval: every(intervals.endpoint),
  });
}

/** The endpoint, undefined until it is known or if there is none, with the query that it comes from. */
export function useEndpoint(id: string) {
  const query = useEndpoints();
  const endpoint: Endpoint | undefined = query.data?.endpoints.find((one) => one.id === id);
  return { ...query, endpoint };
}
