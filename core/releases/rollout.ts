import { EndpointNotFound } from '../errors.ts';
import type { Templates } from '../templates/store.ts';
import { type ReleasePorts, release } from './release.ts';

export type RolloutPorts = ReleasePorts & { readonly templates: Pick<Templates, 'read' | 'usersOf'> };

/**
 * Releases templates to the endpoints that use them.
 *
 * Input: ids of templates of which there may be another version. Output: the endpoints that were looked at.
 *  1. Find out which endpoints use them.
 *  2. Make each run the template as it is now. One that fails does not keep the others from it.
 * @throws AggregateError of what has failed: to do all of it again changes nothing of the others
 */
export async function rollout(ports: RolloutPorts, templates: readonly string[]): Promise<readonly string[]> {
  const users = await Promise.all([...new Set(templates)].map((id) => ports.templates.usersOf(id)));
  const endpoints = [...new Set(users.flat())];
  const released = await Promise.allSettled(endpoints.map((id) => releaseIfThere(ports, id)));
  const failures = released.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  if (failures.length > 0) throw new AggregateError(failures, `Not released: ${failures.map(String).join(' ')}`);
  return endpoints;
}

/** An endpoint that is just being made is released by its stack; one that is being deleted, not at all. */
async function releaseIfThere(ports: ReleasePorts, id: string): Promise<void> {
  try {
    await release(ports, id);
  } catch (error) {
    if (!(error instanceof EndpointNotFound)) throw error;
  }
}
