/**
 * Releases an endpoint's blueprint and template to its service. Deployments, template updates and the sweeper run this
 * use-case, possibly at the same time.
 *
 * The progress of a release is stored only in the endpoint. Each step reads it, changes it by a conditional write, and
 * returns; the next step begins with another read. If an execution is interrupted or overtaken, another execution
 * continues with the stored release. A stored release is applied to the service (`apply.ts`) before another one is
 * stored. Rolling deployments take minutes, and `follow.ts` observes them. A crash after the registration of a revision
 * leaves a revision that no release names, which is deregistered with the endpoint.
 */

import type { Endpoint } from '../endpoints/endpoint.ts';
import { isApplied, isComplete, isOtherLaunchType, isSameSource, type StoredRelease } from '../endpoints/release.ts';
import { RELEASE_PATIENCE, SECOND } from '../limits.ts';
import { EndpointNotFound } from '../requests/errors.ts';
import { conflictTries } from '../stored-items/conflicts.ts';
import { type ApplyPorts, apply } from './apply.ts';
import { follow } from './follow.ts';
import {
  type DesiredSource,
  desiredSource,
  isStillRefused,
  type RegisterPorts,
  registerRevision,
  type SourcePorts,
} from './source.ts';
import { ReleaseRefused } from './task-definition.ts';
import { begun, refused, unapplied } from './transitions.ts';

export type ReleasePorts = ApplyPorts & SourcePorts & RegisterPorts;

/**
 * `DONE`: nothing is left to do for this execution. `CHANGED`: this or another execution might have changed the release,
 * so another step follows. `BLOCKED`: the release waits for workers or for the stack.
 */
type StepResult = 'DONE' | 'CHANGED' | 'BLOCKED';

/**
 * Starts the rolling deployment of the desired source, and does not wait for its end. Idempotent: a repeated call
 * continues an interrupted one. Repeats these steps until the current release has the desired source and is applied:
 *  1. Apply the current release. If it has to wait for workers or for the stack, repeat this for `RELEASE_PATIENCE`, and
 *     then return: the sweeper continues.
 *  2. If the desired source differs from the source of the current release, register a revision and store it as
 *     the release. If the endpoint cannot run the template, or the source was rolled back before, the current
 *     revision keeps running. A new refusal is stored with the current release.
 * @throws EndpointNotFound if the endpoint does not exist
 * @throws ReleaseRefused if the endpoint cannot run the template and has no release yet
 */
export async function release(ports: ReleasePorts, id: string): Promise<void> {
  const patientUntil = ports.clock.now() + RELEASE_PATIENCE;
  let steps = 0;
  while (steps < conflictTries.endpoint) {
    const endpoint = await ports.endpoints.readNow(id);
    if (!endpoint) throw new EndpointNotFound(id);
    const result = await takeStep(ports, endpoint);
    if (result === 'DONE') return;
    if (result === 'CHANGED') steps += 1;
    else if (ports.clock.now() < patientUntil) await ports.clock.pause(SECOND);
    else return;
  }
  throw new Error(
    `The release of ${id} did not finish in ${conflictTries.endpoint} steps, because other executions change it too.`,
  );
}

async function takeStep(ports: ReleasePorts, endpoint: Endpoint): Promise<StepResult> {
  const { release: current } = endpoint;
  if (current && !isApplied(current))
    return (await apply(ports, { ...endpoint, release: current })) ? 'CHANGED' : 'BLOCKED';
  const source = await desiredSource(ports, endpoint);
  if (current && isSameSource(current, source)) return keepCurrent(ports, endpoint, current);
  if (current && isStillRefused(endpoint, source)) return correctService(ports, endpoint, current);
  await begin(ports, endpoint, source);
  return 'CHANGED';
}

/** Keeps a release that has the desired source. Removes the refusal of another source, which is no longer desired. */
async function keepCurrent(ports: ReleasePorts, endpoint: Endpoint, current: StoredRelease): Promise<StepResult> {
  const { refused: refusal, ...withoutRefusal } = current;
  if (!refusal) return correctService(ports, endpoint, current);
  await ports.endpoints.setRelease(endpoint.id, current, withoutRefusal);
  return 'CHANGED';
}

/**
 * Applies a complete release again if the service was changed manually. `follow` handles a release in progress. A service
 * of another launch type is not changed, because the stack still has to replace it.
 */
async function correctService(ports: ReleasePorts, endpoint: Endpoint, current: StoredRelease): Promise<StepResult> {
  if (!isComplete(current)) return 'DONE';
  const deployment = await ports.revisions.currentDeployment(endpoint);
  if (deployment?.revision === current.revision || isOtherLaunchType(deployment?.launchType, current.launchType))
    return 'DONE';
  // The service also differs if another execution has released another revision since `current` was read.
  if (!(await ports.endpoints.setRelease(endpoint.id, current, unapplied(current)))) return 'CHANGED';
  // Do not check the service again, because ECS can describe it as before for `SERVICE_LAG`.
  await follow(ports, endpoint.id);
  return 'DONE';
}

/**
 * Registers a revision of the source and stores it as the release. If the endpoint cannot run the template, stores the
 * refusal with the current release, which continues to run. If another execution writes first, the next step reads its
 * release.
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
  // The SDK repeats a write whose response was lost. If the first attempt succeeded, the repeated write is refused although
  // the release is stored.
  const isOwn = (await endpoints.readNow(id))?.release?.revision === target.revision;
  if (!isOwn) await revisions.deregister(target.revision);
}
