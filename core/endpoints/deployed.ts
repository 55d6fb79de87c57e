import { EndpointNotFound } from '../errors.ts';
import type { Ports } from '../ports.ts';
import type { Endpoint } from './endpoint.ts';

/** @throws EndpointNotFound if this deployment has no such endpoint */
export async function deployed({ endpoints }: Pick<Ports, 'endpoints'>, id: string): Promise<Endpoint> {
  const endpoint = await endpoints.read(id);
  if (!endpoint) throw new EndpointNotFound(id);
  return endpoint;
}
