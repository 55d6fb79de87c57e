import type { Clock } from '../clock.ts';
import { endpointInName } from '../deployment.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { isApplied, isComplete, numberOf } from '../endpoints/release.ts';
import type { Endpoints, Services } from '../endpoints/store.ts';
import { type OpenWorkers, saveOpenWorker } from '../history/open-worker.ts';
import type { EventPorts } from '../history/record-event.ts';
import { saveEndedWorker } from '../history/record-worker.ts';
import type { WorkerHistory } from '../history/store.ts';
import type { JobQueues } from '../jobs/queues.ts';
import type { Jobs } from '../jobs/store.ts';
import type { ApplyPorts } from '../releases/apply.ts';
import { follow } from '../releases/follow.ts';
import { correctSums } from '../usage/correct.ts';
import type { UsageSums } from '../usage/store.ts';
import { type Fact, saveFact } from '../workers/apply-facts.ts';
import type { Lease, Workers } from '../workers/lease.ts';
import { requeueJobsOf } from '../workers/lost.ts';
import type { InstanceEvent, ServiceEvent, TaskEvent, WorkerEvent } from './event.ts';
import { factOf } from './fact-from-event.ts';
import { addRunTime, type RunTimePorts } from './run-time.ts';
import { scale } from './scale.ts';
import { type Starts, type StartTimes, saveStart } from './start.ts';

export type ObservePorts = {
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly jobQueues: JobQueues;
  readonly jobs: Jobs;
  readonly openWorkers: OpenWorkers;
  readonly starts: Starts;
  readonly usageSums: Pick<UsageSums, 'isKept' | 'repeatFrom'>;
  readonly workerHistory: WorkerHistory;
  readonly workers: Workers;
} & ApplyPorts &
  EventPorts &
  RunTimePorts & { readonly services: Services };

/** The effect of an event. */
export interface Observed {
  /** Ids of the endpoints of the workers in the event. */
  readonly endpoints: readonly string[];
  readonly fact?: Fact;
  /** Number of jobs that were requeued. */
  readonly requeued: number;
}

/**
 * Processes an event of ECS about a service, one of its tasks or an instance, or of Auto Scaling about the launch of an
 * instance. Events can arrive twice, late and in any order.
 *
 * Input: the event. Output: its effect; empty if the service does not belong to an endpoint.
 *  1. Store the fact about the endpoint's workers, such as the reason why they do not start. Ignore the failure of
 *     a worker whose revision the endpoint should no longer run.
 *  2. If a task has stopped, requeue its jobs immediately, without waiting for its lease to end, and add its run
 *     time.
 *  3. Add the times of a task to the start of its worker, and store the times of an instance. Store which workers
 *     live, and add a worker that has stopped to the history.
 *  4. Follow a release in progress.
 *  5. If workers fail to start, or a release was applied, adjust the number of workers.
 */
export async function observe(ports: ObservePorts, event: WorkerEvent | InstanceEvent): Promise<Observed> {
  if (event.of === 'instance') {
    await ports.starts.saveInstance(event.instance);
    return { endpoints: [], requeued: 0 };
  }
  const endpoint = await endpointOf(ports, event.service);
  if (!endpoint) return { endpoints: [], requeued: 0 };
  const { id } = endpoint;
  // Read the lease before its removal, because only the lease shows whether the worker was ready.
  const stops = event.of === 'task' && event.stopCode !== undefined;
  const lease = stops ? await ports.workers.read(id, event.worker) : undefined;
  const reported = factOf(event, lease);
  const fact = reported?.is === 'failed' && isOver(endpoint, event) ? undefined : reported;
  const state = fact && (await saveFact(ports, id, fact));

  const isStopped = event.of === 'task' && event.lastStatus === 'STOPPED';
  const requeued = isStopped ? await stopped(ports, id, event) : 0;
  const start = event.of === 'task' ? await saveStart(ports, id, event.worker, startTimesOf(event, lease)) : {};
  if (event.of === 'task') await saveOpenWorker(ports, id, event, start);
  if (isStopped) {
    await saveEndedWorker(ports, endpoint, event, start);
    await correctSums(ports, id, [{ at: event.stoppedAt ?? event.at }]);
  }
  const moved = concernsRelease(endpoint, event) && (await follow(ports, id, wasReady(endpoint, event, start)));
  const backsOff = fact?.is === 'failed' && state?.backOff !== undefined;
  if (moved || backsOff || fact?.is === 'released') await scale(ports, id, 'both');
  return { endpoints: [id], ...(fact && { fact }), requeued };
}

/** Returns the endpoint whose workers the service runs. Lists all endpoints only if the name of the service has no id. */
async function endpointOf({ endpoints }: ObservePorts, service: string): Promise<Endpoint | undefined> {
  const id = endpointInName(service);
  if (id === undefined) return (await endpoints.list()).find((endpoint) => endpoint.service === service);
  const endpoint = await endpoints.readNow(id);
  return endpoint?.service === service ? endpoint : undefined;
}

/** Returns whether the endpoint should neither run nor restore the failed revision. */
function isOver({ release }: Endpoint, event: TaskEvent | ServiceEvent): boolean {
  if (release?.state === undefined) return false;
  const { revision, restore } = release;
  // After a failed deployment, ECS rolls back to the previous deployment.
  if (event.of === 'service') return event.name === 'SERVICE_DEPLOYMENT_FAILED' && (isComplete(release) || !!restore);
  const isIts = (its: string | undefined) => its !== undefined && numberOf(its) === event.revision;
  return event.revision !== undefined && !isIts(revision) && !isIts(restore?.revision);
}

/** States of a task from its place on a machine to its stop. */
const withPlace: readonly string[] = ['PENDING', 'ACTIVATING', 'RUNNING'];

/** Returns the times in the event, and when the worker was ready, in case its agent could not store that. */
const startTimesOf = (
  {
    at,
    createdAt,
    containerInstanceArn,
    lastStatus,
    pullStartedAt,
    pullStoppedAt,
    startedAt,
    stoppedAt = at,
  }: TaskEvent,
  lease: Lease | undefined,
): StartTimes => ({
  instance: containerInstanceArn?.slice(containerInstanceArn.lastIndexOf('/') + 1),
  createdAt,
  ...(withPlace.includes(lastStatus) && { placedAt: at }),
  pullStartedAt,
  pullStoppedAt,
  startedAt,
  ...(typeof lease?.readySince === 'number' && { readyAt: lease.readySince }),
  ...(lastStatus === 'STOPPED' && { stoppedAt }),
});

const concernsRelease = ({ release }: Endpoint, event: TaskEvent | ServiceEvent): boolean =>
  release !== undefined && (event.of === 'service' || !isComplete(release) || !isApplied(release));

/**
 * Returns whether the event is about a worker of the release that was ready. A missing lease does not show that, because
 * `observe` and the sweeper also remove the leases of workers that were never ready. The start outlives the lease.
 */
const wasReady = (
  { release }: Endpoint,
  event: TaskEvent | ServiceEvent,
  { readyAt }: Pick<StartTimes, 'readyAt'>,
): boolean =>
  event.of === 'task' &&
  release !== undefined &&
  event.revision === numberOf(release.revision) &&
  readyAt !== undefined;

/**
 * Requeues the jobs of a stopped worker, stores that the service has to replace the worker, and adds its run time.
 */
async function stopped(ports: ObservePorts, id: string, event: TaskEvent): Promise<number> {
  const desired = (await ports.endpoints.readNow(id))?.desiredWorkers;
  if (desired !== undefined) await ports.endpoints.setDesired(id, desired, desired);
  const lease = await ports.workers.read(id, event.worker);
  const back = lease ? await requeueJobsOf(ports, lease, ports.clock.now() - 1) : 0;
  await addRunTime(ports, id, event);
  return back;
}
