import { EndpointNotFound } from '../errors.ts';
import type { ReleaseWorld } from './first.ts';

/** Of two releases at once, one sees the other's and looks again. */
const TRIES = 5;

/**
 * Makes the endpoint's service run what its record says, by a rolling deployment that nobody waits for.
 *
 * Input: endpoint id. To do it twice, or to go on where it broke off, changes nothing.
 *  1. If the present release is of another blueprint, register a revision and note it. The newest revision of the family
 *     is always the one to run, because a change of the service by CloudFormation runs it: so one that was not noted,
 *     as another release came first, is withdrawn.
 *  2. Tell the service, unless it was told.
 * @throws EndpointNotFound if there is no such endpoint, or its stack says nothing of what to run
 */
export async function release({ endpoints, revisions }: ReleaseWorld, id: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const endpoint = await endpoints.readNow(id);
    if (endpoint?.family === undefined || endpoint.blueprint === undefined) throw new EndpointNotFound(id);
    const { family, blueprint, release: present } = endpoint;
    if (present?.blueprint === blueprint) {
      if ((await revisions.running(endpoint)) !== present.revision) await revisions.deploy(endpoint, present.revision);
      return;
    }
    const revision = await revisions.register({ ...(await revisions.read(blueprint)), family });
    const noted = await endpoints.noteRelease(id, present, { revision, blueprint });
    // The answer to the write may have been lost, and a second try refused.
    if (!noted && (await endpoints.readNow(id))?.release?.revision !== revision) await revisions.withdraw(revision);
  }
  throw new Error(`Other releases of ${id} came first, ${TRIES} times.`);
}
