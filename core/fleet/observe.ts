import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { isApplied, isComplete, numberOf } from '../endpoints/release.ts';
import type { Endpoints, Services } from '../endpoints/store.ts';
import type { JobQueues } from '../jobs/queues.ts';
import type { Jobs } from '../jobs/store.ts';
import type { ApplyPorts } from '../releases/apply.ts';
import { follow } from '../releases/follow.ts';
import { type Fact, saveFact } from '../workers/facts.ts';
import type { Lease, Workers } from '../workers/lease.ts';
import { requeueJobsOf } from '../workers/lost.ts';
import type { FleetEvent, ServiceEvent, TaskEvent } from './event.ts';
import { factOf } from './fact.ts';
import { saveLaunchFailure } from './launch.ts';
import { addRunTime, type RunTimePorts } from './run-time.ts';
import { scale } from './scale.ts';

export type ObservePorts = {
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly jobQueues: JobQueues;
  readonly jobs: Jobs;
  readonly workers: Workers;
} & ApplyPorts &
  RunTimePorts & { readonly services: Services };

/** What an event was good for. */
export interface Observed {
  /** Ids of those whose workers it is about. */
  readonly endpoints: readonly string[];
  readonly fact?: Fact;
  /** Jobs that wait again. */
  readonly requeued: number;
}

/**
 * Takes note of what ECS tells of a service or of one of its tasks, and Auto Scaling of an instance that it could not start.
 * An event may come twice, late and in any order.
 *
 * Input: the event. Output: what it was good for; nothing, if the service or the instance is no endpoint's.
 *  1. Note what it says about the endpoint's workers: why they do not come, or that they do. Of a worker of what the
 *     endpoint is not to run any more, that it fails says nothing.
 *  2. If a task has stopped, bring back at once what it held, without waiting for its lease to end, and meter it.
 *  3. Look how far a release is that is on its way.
 *  4. If workers fail to start, or something else is released, ask for fewer or more of them.
 */
export async function observe(ports: ObservePorts, event: FleetEvent): Promise<Observed> {
  if (event.of === 'launch') return { ...(await saveLaunchFailure(ports, event)), requeued: 0 };
  const endpoint = (await ports.endpoints.list()).find(({ service }) => service === event.service);
  if (!endpoint) return { endpoints: [], requeued: 0 };
  const { id } = endpoint;
  // Before its lease goes, because it is what tells whether the worker was ready.
  const stops = event.of === 'task' && event.stopCode !== undefined;
  const lease = stops ? await ports.workers.read(id, event.worker) : undefined;
  const said = factOf(event, lease);
  const fact = said?.is === 'failed' && isOver(endpoint, event) ? undefined : said;
  const learned = fact && (await saveFact(ports, id, fact));

  const requeued = event.of === 'task' && event.lastStatus === 'STOPPED' ? await stopped(ports, id, event) : 0;
  const moved = concernsRelease(endpoint, event) && (await follow(ports, id, wasReady(endpoint, event, lease)));
  const backsOff = fact?.is === 'failed' && learned?.backOff !== undefined;
  if (moved || backsOff || fact?.is === 'released') await scale(ports, id, 'both');
  return { endpoints: [id], ...(fact && { fact }), requeued };
}

/** Whether what has failed is neither what the endpoint is to run nor what it would go back to. */
function isOver({ release }: Endpoint, event: TaskEvent | ServiceEvent): boolean {
  if (release?.state === undefined) return false;
  const { revision, restore } = release;
  // Of a deployment that failed, ECS goes back to the one before.
  if (event.of === 'service') return event.name === 'SERVICE_DEPLOYMENT_FAILED' && (isComplete(release) || !!restore);
  const isIts = (its: string | undefined) => its !== undefined && numberOf(its) === event.revision;
  return event.revision !== undefined && !isIts(revision) && !isIts(restore?.revision);
}

const concernsRelease = ({ release }: Endpoint, event: TaskEvent | ServiceEvent): boolean =>
  release !== undefined && (event.of === 'service' || !isComplete(release) || !isApplied(release));

/** One that ECS stops without a lease was ready: an agent whose container never asked for a job leaves its lease behind. */
function wasReady({ release }: Endpoint, event: TaskEvent | ServiceEvent, lease: Lease | undefined): boolean {
  if (event.of === 'service' || !release || event.revision !== numberOf(release.revision)) return false;
  const endedInOrder = event.stopCode === 'ServiceSchedulerInitiated' && event.startedAt !== undefined;
  return typeof lease?.readySince === 'number' || (endedInOrder && lease === undefined);
}

/**
 * Meters a worker that has stopped, notes that the service has another to start in its place, and brings back its jobs.
 */
async function stopped(ports: ObservePorts, id: string, event: TaskEvent): Promise<number> {
  const desired = (await ports.endpoints.readNow(id))?.desiredWorkers;
  if (desired !== undefined) await ports.endpoints.setDesired(id, desired, desired);
  const lease = await ports.workers.read(id, event.worker);
  // It has stopped, so its word that it lives until later counts no more.
  const back = lease ? await requeueJobsOf(ports, lease, Math.min(lease.endsAt, ports.clock.now() - 1)) : 0;
  await addRunTime(ports, id, event);
  return back;
}
