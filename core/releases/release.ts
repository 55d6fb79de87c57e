/**
 * Releases an endpoint's blueprint and template to its service: the use case of a deployment, of a template update and of
 * the sweeper, which can overlap.
 *
 * The endpoint's stored release is the only record of progress. Each step reads it, makes at most one conditional write
 * of it, and leaves the decision about the next step to the next read. An interrupted or overtaken execution therefore
 * needs no repair: another execution continues from what is stored. The one rule: a stored release is applied to the
 * service (`apply.ts`) before another one is stored. Rolling deployments take minutes, and `follow.ts` observes them.
 */

import type { Endpoint } from '../endpoints/endpoint.ts';
import {
  isApplied,
  isComplete,
  isOtherLaunchType,
  isSameSource,
  type Release,
  type StoredRelease,
} from '../endpoints/release.ts';
import { RELEASE_PATIENCE, SECOND } from '../limits.ts';
import { EndpointNotFound } from '../requests/errors.ts';
import { conflictTries } from '../stored-items/conflicts.ts';
import { type ApplyPorts, apply } from './apply.ts';
import {
  type DesiredSource,
  desiredSource,
  isStillRefused,
  type RegisterPorts,
  registerRevision,
  type SourcePorts,
} from './source.ts';
import { begun, refused } from './state.ts';
import { ReleaseRefused } from './task-definition.ts';

export type ReleasePorts = ApplyPorts & SourcePorts & RegisterPorts;

/** `STORED`: the release might have changed, so the next step can differ. `WAITING`: workers or the stack block it. */
type StepResult = 'DONE' | 'STORED' | 'WAITING';

/**
 * Releases the endpoint's blueprint and template to its service. Starts a rolling deployment and does not wait for
 * it.
 *
 * Input: endpoint id. Can run twice, and continues after a crash. Repeats these steps until the current release has
 * the desired source and is applied:
 *  1. Apply the current release. If it has to wait for workers, try again for `RELEASE_PATIENCE`, then leave the
 *     release to the sweeper.
 *  2. If the desired source differs from the source of the current release, register a revision and store it as
 *     the release. A template that the endpoint cannot run, or a release that was rolled back before, does not
 *     change the current release.
 * @throws EndpointNotFound if the endpoint does not exist
 * @throws ReleaseRefused if the endpoint cannot run the template and has no release yet
 */
export async function release(ports: ReleasePorts, id: string): Promise<void> {
  const patientUntil = ports.clock.now() + RELEASE_PATIENCE;
  let stored = 0;
  while (stored < conflictTries.endpoint) {
    const endpoint = await ports.endpoints.readNow(id);
    if (!endpoint) throw new EndpointNotFound(id);
    const result = await takeStep(ports, endpoint);
    if (result === 'DONE') return;
    if (result === 'STORED') stored += 1;
    else if (ports.clock.now() < patientUntil) await ports.clock.pause(SECOND);
    else return;
  }
  throw new Error(
    `The release of ${id} failed: other releases were stored first in all ${conflictTries.endpoint} attempts.`,
  );
}

async function takeStep(ports: ReleasePorts, endpoint: Endpoint): Promise<StepResult> {
  const { release: current } = endpoint;
  if (current && !isApplied(current))
    return (await apply(ports, { ...endpoint, release: current })) ? 'STORED' : 'WAITING';
  const source = await desiredSource(ports, endpoint);
  if (current && isSameSource(current, source)) return keepCurrent(ports, endpoint, current);
  if (isStillRefused(endpoint, source)) return 'DONE';
  await begin(ports, endpoint, source);
  return 'STORED';
}

/** Keeps a release that has the desired source. Removes the refusal of another source, which is no longer desired. */
async function keepCurrent(ports: ReleasePorts, endpoint: Endpoint, current: StoredRelease): Promise<StepResult> {
  const { refused: refusal, ...withoutRefusal } = current;
  if (!refusal) {
    await correctService(ports, endpoint, current);
    return 'DONE';
  }
  await ports.endpoints.setRelease(endpoint.id, current, withoutRefusal);
  return 'STORED';
}

/** Deploys a complete release again if the service was changed manually. `follow` handles a release in progress. */
async function correctService({ revisions }: ReleasePorts, endpoint: Endpoint, current: Release): Promise<void> {
  if (!isComplete(current)) return;
  const running = await revisions.running(endpoint);
  if (running?.revision === current.revision || isOtherLaunchType(running?.launchType, current.launchType)) return;
  await revisions.deploy(endpoint, current.revision);
}

/**
 * Registers a revision of the source and stores it as the release. If the endpoint cannot run the template, stores the
 * refusal with the current release, which continues to run.
 */
async function begin(ports: ReleasePorts, endpoint: Endpoint, source: DesiredSource): Promise<void> {
  const startedAt = ports.clock.now();
  try {
    await registerAndStore(ports, endpoint, source, startedAt);
  } catch (error) {
    const { id, release: current, imageRepositories } = endpoint;
    if (!(error instanceof ReleaseRefused) || !current) throw error;
    const refusedSource = { ...source, imageRepositories };
    await ports.endpoints.setRelease(id, current, refused(current, refusedSource, error.message, startedAt));
  }
}

/** Registers a revision and stores it as the release. Deregisters it if another release was stored first. */
async function registerAndStore(
  ports: ReleasePorts,
  endpoint: Endpoint,
  source: DesiredSource,
  startedAt: number,
): Promise<void> {
  const { endpoints, revisions } = ports;
  const { id, release: current } = endpoint;
  const target = await registerRevision(ports, source, endpoint);
  if (await endpoints.setRelease(id, current, begun(current, target, startedAt))) return;
  // The SDK repeats a write whose response was lost. If the first attempt has succeeded, the repeated one is refused.
  const isOwn = (await endpoints.readNow(id))?.release?.revision === target.revision;
  if (!isOwn) await revisions.withdraw(target.revision);
}
