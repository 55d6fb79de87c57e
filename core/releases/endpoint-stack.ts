import type { Endpoint } from '../endpoints/endpoint.ts';
import { isOtherLaunchType, numberOf } from '../endpoints/release.ts';
import type { Endpoints, Services } from '../endpoints/store.ts';
import { CONFLICT, conflictTries, retryOnConflict, WriteConflict } from '../stored-items/conflicts.ts';
import type { ReleaseHistory } from './history.ts';
import type { ReleasePorts } from './release.ts';
import type { Revisions } from './revisions.ts';
import { desiredSource, registerRevision } from './source.ts';
import { launchTypeOf } from './task-definition.ts';
import { begun } from './transitions.ts';

export interface WorkerFamily {
  /** Id of the endpoint. */
  readonly endpoint: string;
  readonly family: string;
}

/** The source of the first revision. The deployment has checked that the endpoint's capacity supports the template. */
export type FirstRevision = WorkerFamily & Pick<Endpoint, 'owner' | 'template' | 'pinTemplate' | 'blueprint'>;

type FirstPorts = Pick<ReleasePorts, 'clock' | 'endpoints' | 'revisions' | 'templates' | 'vault'>;

/**
 * Ensures that the service can run the newest revision of its family. Called before the service uses the family.
 *
 * Input: endpoint, family, blueprint and template.
 *  1. A family without a revision gets its first revision.
 *  2. If the blueprint and the newest revision have different launch types, the stack is about to move the service,
 *     so the family gets a revision of the blueprint. This revision is stored as the release, so that no other release
 *     begins in the meantime.
 *  3. Otherwise the family does not change, because releases add all further revisions.
 * @throws ReleaseRefused if the endpoint cannot run the template
 */
export async function first(ports: FirstPorts, given: FirstRevision): Promise<void> {
  const { endpoint: id, ...properties } = given;
  const newest = (await ports.revisions.list(given.family)).toSorted((a, b) => numberOf(b) - numberOf(a))[0];
  if (newest !== undefined) return moveIfOther(ports, given, newest);
  const target = await registerRevision(ports, await desiredSource(ports, { id, ...properties }));
  await ports.endpoints.setRelease(id, undefined, begun(undefined, target, ports.clock.now()));
}

async function moveIfOther(ports: FirstPorts, given: FirstRevision, newest: string): Promise<void> {
  const { revisions } = ports;
  const [runs, wanted] = [await revisions.read(newest), await revisions.read(given.blueprint)].map(launchTypeOf);
  if (isOtherLaunchType(runs, wanted)) await move(ports, given);
}

/** Registers and stores a release of another launch type. */
async function move(ports: FirstPorts, given: FirstRevision): Promise<void> {
  const { endpoint: id, ...properties } = given;
  const target = await registerRevision(ports, await desiredSource(ports, { id, ...properties }));
  const store = async () => {
    const endpoint = await ports.endpoints.readNow(id);
    const present = endpoint?.release;
    const isAhead = endpoint !== undefined && endpoint.blueprint !== given.blueprint;
    const next = {
      ...begun(present, target, ports.clock.now()),
      ...(isAhead && { movesFrom: endpoint.blueprint }),
    };
    if (await ports.endpoints.setRelease(id, present, next)) return undefined;
    // An earlier attempt might have succeeded although its response was lost. The retry is then refused.
    const isStored = (await ports.endpoints.readNow(id))?.release?.revision === target.revision;
    return isStored ? undefined : CONFLICT;
  };
  try {
    await retryOnConflict(`the release of ${id}`, conflictTries.endpoint, store);
  } catch (error) {
    if (error instanceof WriteConflict) await ports.revisions.deregister(target.revision);
    throw error;
  }
}

/**
 * Returns the number of workers that an endpoint's service runs, so that a change of the service retains it.
 *
 * Input: id of the endpoint, and the future cluster of the service. Output: the count; 0 for an endpoint or a
 * service that is not deployed yet. If the cluster changes, CloudFormation replaces the service, and the new
 * service starts with the stored count of the endpoint.
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

export type EndPorts = {
  readonly endpoints: Endpoints;
  readonly revisions: Pick<Revisions, 'deregister' | 'list'>;
  readonly history: Pick<ReleaseHistory, 'list' | 'retire'>;
};

/**
 * Deregisters all revisions of a removed endpoint, removes the state of its service, and starts the retention of
 * its history.
 */
export async function end(
  { endpoints, revisions, history }: EndPorts,
  { endpoint, family }: WorkerFamily,
): Promise<void> {
  for (const revision of await revisions.list(family)) await revisions.deregister(revision);
  await endpoints.forgetService(endpoint);
  for await (const { key } of history.list(endpoint)) await history.retire(endpoint, key);
}
