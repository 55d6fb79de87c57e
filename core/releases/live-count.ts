import type { Endpoints, Services } from '../endpoints/store.ts';

/**
 * Returns how many workers the service of an endpoint runs, so that a change of the service keeps them.
 *
 * Input: id of the endpoint, and the cluster that the service is to be in. Output: the count; 0 for an endpoint or a service
 * that is not deployed yet. In another cluster than before, CloudFormation replaces the service: the new one begins with the count that the
 * endpoint has stored.
 */
export async function liveCount(
  { endpoints, services }: { readonly endpoints: Pick<Endpoints, 'readNow'>; readonly services: Services },
  { endpoint: id, cluster }: { readonly endpoint: string; readonly cluster: string },
): Promise<number> {
  const endpoint = await endpoints.readNow(id);
  if (!endpoint) return 0;
  if (endpoint.cluster !== cluster) return endpoint.desiredWorkers ?? endpoint.minWorkers;
  return (await services.desired(endpoint)) ?? 0;
}
