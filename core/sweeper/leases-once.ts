import type { Lease, Workers } from '../workers/lease.ts';

/**
 * Returns workers whose leases are listed once for each endpoint, because the steps of a sweep, its sums and its budgets
 * all need them. A read that fails is repeated by the next step. Steps that must not miss a change use `listNow`.
 */
export function leasesOnce(workers: Workers): Workers {
  const lists = new Map<string, Promise<Lease[]>>();
  return {
    ...workers,
    list(endpoint) {
      const list = lists.get(endpoint) ?? workers.list(endpoint);
      lists.set(endpoint, list);
      list.catch(() => lists.delete(endpoint));
      return list;
    },
  };
}
