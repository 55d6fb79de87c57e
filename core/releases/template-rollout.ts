import pLimit from 'p-limit';
import { EndpointNotFound } from '../requests/errors.ts';
import type { Templates } from '../templates/store.ts';
import { type ReleasePorts, release } from './release.ts';

/**
 * Number of endpoints to which an update of their template is released concurrently. ECS accepts a new task definition
 * about once a second; the SDK slows down when ECS refuses calls.
 */
export const RELEASED_AT_ONCE = 5;

export type RolloutPorts = ReleasePorts & { readonly templates: Pick<Templates, 'read' | 'endpointsOf'> };

/**
 * Releases templates to the endpoints that use them.
 *
 * Input: ids of templates that might have a new version. Output: the endpoints that use these templates.
 *  1. List the endpoints that use the templates.
 *  2. Release the current version to each endpoint. A failure does not stop the other releases.
 * @throws AggregateError of all failures; a repeated call changes nothing for endpoints that succeeded
 */
export async function rollout(ports: RolloutPorts, templates: readonly string[]): Promise<readonly string[]> {
  const users = await Promise.all([...new Set(templates)].map((id) => ports.templates.endpointsOf(id)));
  const endpoints = [...new Set(users.flat())];
  const failures: unknown[] = [];
  await pLimit(RELEASED_AT_ONCE).map(endpoints, (id) =>
    releaseIfExists(ports, id).catch((reason: unknown) => void failures.push(reason)),
  );
  if (failures.length > 0)
    throw new AggregateError(failures, `The release of the templates failed: ${failures.map(String).join(' ')}`);
  return endpoints;
}

/**
 * Releases to the endpoint if it exists. The stack of a new endpoint creates its first release, and a deleted
 * endpoint needs no release.
 */
async function releaseIfExists(ports: ReleasePorts, id: string): Promise<void> {
  try {
    await release(ports, id);
  } catch (error) {
    if (!(error instanceof EndpointNotFound)) throw error;
  }
}
