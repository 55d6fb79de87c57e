import type { Endpoints, Services } from '../world.ts';

/** How many workers the endpoint's service runs: none, if there is no endpoint or no service yet. */
export async function liveCount(
  { endpoints, services }: { readonly endpoints: Pick<Endpoints, 'readNow'>; readonly services: Services },
  id: string,
): Promise<number> {
  const endpoint = await endpoints.readNow(id);
  return (endpoint && (await services.desired(endpoint))) ?? 0;
}
