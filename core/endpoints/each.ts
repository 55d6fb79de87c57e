/** Does something for each of several endpoints. */
import pLimit from 'p-limit';
import type { Endpoint } from './endpoint.ts';

/** Errors by endpoint. */
export type EndpointErrors = ReadonlyMap<string, unknown>;

/**
 * Calls `act` for each endpoint, for at most `atOnce` at the same time. An endpoint that fails does not stop the others.
 * @returns errors by endpoint
 */
export async function forEachEndpoint(
  endpoints: readonly Endpoint[],
  atOnce: number,
  act: (endpoint: Endpoint) => Promise<void>,
): Promise<EndpointErrors> {
  const failed = new Map<string, unknown>();
  await pLimit(atOnce).map(endpoints, async (endpoint) => {
    try {
      await act(endpoint);
    } catch (error) {
      failed.set(endpoint.id, error);
    }
  });
  return failed;
}
