/** Queries and mutations of the API keys page. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Costs, CreatedKey, KeyList } from '../../api/management-types.ts';
import { useClient } from '../../session/session.tsx';
import type { Grant } from './grant.ts';
import { usesOf, usesSince } from './use.ts';
import type { Uses } from './use-cells.tsx';

const LIST = ['list-keys'];
const USES = ['costs', 'by-key'];

/**
 * Reads the list of keys.
 * @param isPermitted whether the user may list keys; if not, no request is sent
 */
export function useKeys(isPermitted: boolean) {
  const client = useClient();
  return useQuery({
    queryKey: LIST,
    queryFn: ({ signal }) => client.json<KeyList>('/v1/keys', { signal }),
    enabled: isPermitted,
  });
}

const usesFrom = ({ costs }: Costs) => usesOf(costs, Date.now());

/** Reads how much the keys were used. */
export function useUses(isPermitted: boolean): Uses {
  const client = useClient();
  const since = usesSince(Date.now());
  const { data } = useQuery({
    queryKey: [...USES, since],
    queryFn: ({ signal }) => client.json<Costs>('/v1/costs', { query: { by: 'key,day', since }, signal }),
    enabled: isPermitted,
    select: usesFrom,
  });
  return data;
}

export function useCreateKey() {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Grant) => client.json<CreatedKey>('/v1/keys', { method: 'POST', body }),
    // The response contains the secret, which must not be cached.
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: LIST }),
  });
}

export function useRevokeKey() {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => client.json<{ id: string }>(`/v1/keys/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    onSuccess: () => queries.invalidateQueries({ queryKey: LIST }),
  });
}
