import { EndpointNotFound } from '../errors.ts';
import type { Templates } from '../templates/store.ts';
import { type ReleasePorts, release } from './release.ts';

export type RolloutPorts = ReleasePorts & { readonly templates: Pick<Templates, 'read' | 'usersOf'> };

/**
 * Releases templates to the endpoints that use them.
 *
 * Input: ids of templates that may have a new version. Output: the endpoints that use them.
 *  1. List the endpoints that use the templates.
 *  2. Release the present version to each. A failure of one does not stop the others.
 * @throws AggregateError of all failures: a repetition changes nothing for the other endpoints
 */
export async function rollout(ports: RolloutPorts, templates: readonly string[]): Promise<readonly string[]> {
  const users = await Promise.all([...new Set(templates)].map((id) => ports.templates.usersOf(id)));
  const endpoints = [...new Set(users.flat())];
  const released = await Promise.allSettled(endpoints.map((id) => releaseIfThere(ports, id)));
  const failures = released.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  if (failures.length > 0) throw new AggregateError(failures, `Not released: ${failures.map(String).join(' ')}`);
  return endpoints;
}

/**
 * Releases to the endpoint, if it exists: its stack makes the first release of a new one, and a deleted one needs none.
 */
async function releaseIfThere(ports: ReleasePorts, id: string): Promise<void> {
  try {
    await release(ports, id);
  } catch (error) {
    if (!(error instanceof EndpointNotFound)) throw error;
  }
}
