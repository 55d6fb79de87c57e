/** Reads what happened on the endpoints lately, and the alarms. Both change once a minute. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Client } from '../../api/client.ts';
import type { Endpoint, EndpointList } from '../../api/management-types.ts';
import { every } from '../../api/polling.ts';
import { alarmsFor } from '../../endpoint/use-endpoints.ts';
import { usePermission } from '../../session/permission.ts';
import { useClient } from '../../session/session.tsx';
import { MINUTE } from '../../units.ts';

const recentFor = (client: Client) =>
  queryOptions({
    queryKey: ['recent'],
    queryFn: ({ signal }) => client.json<EndpointList>('/v1/endpoints', { query: { include: 'recent' }, signal }),
  });

/**
 * Returns a function that adds what happened lately to the endpoints of a newer list. All endpoints are read in one call.
 */
export function useRecent(): (endpoints: readonly Endpoint[]) => Endpoint[] {
  const { data } = useQuery({ ...recentFor(useClient()), refetchInterval: every(MINUTE) });
  const byId = new Map(data?.endpoints.map(({ id, recent }) => [id, recent]));
  return (endpoints) =>
    endpoints.map((endpoint) => {
      const recent = byId.get(endpoint.id);
      return recent ? { ...endpoint, recent } : endpoint;
    });
}

/** Returns the alarms; undefined until they are read. */
export function useAlarms() {
  const client = useClient();
  const { disabled } = usePermission('list-alarms');
  const { data, error } = useQuery({
    ...alarmsFor(client),
    enabled: !disabled,
    refetchInterval: every(MINUTE),
  });
  return { alarms: data?.alarms, error };
}
