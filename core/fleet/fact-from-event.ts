/** Derives facts about an endpoint's workers from events. */

import { type Blocker, sanitizeDetail } from '../endpoints/fleet-state.ts';
import { AGENT_UNHEALTHY, SECOND } from '../limits.ts';
import type { Fact } from '../workers/apply-facts.ts';
import type { Lease } from '../workers/lease.ts';
import { AGENT_FAILING, AGENT_SILENT, FAILING, SILENT } from '../workers/protocol.ts';
import type { LaunchEvent, ServiceEvent, TaskEvent, WorkerEvent } from './event.ts';
import { lacksInstances, meaningOf } from './messages.ts';

/** Name of the container in `lib/workers/service.ts`. */
const AGENT = 'agent';

/**
 * Returns the container whose exit stopped the task. If several containers have exited, returns the first with a
 * nonzero exit code.
 */
function culprit({ containers }: TaskEvent) {
  const ended = containers.filter(({ exitCode }) => exitCode !== undefined);
  return ended.find(({ exitCode }) => exitCode !== 0) ?? ended[0];
}

function exit(event: TaskEvent): { blocker: Blocker; detail: string } {
  const { startedAt, stoppingAt = event.at, stoppedReason = 'it ended' } = event;
  const container = culprit(event);
  if (container?.name === AGENT && container.exitCode === AGENT_UNHEALTHY)
    return { blocker: 'WORKER_UNHEALTHY', detail: 'its HTTP server did not answer 200 on its health path in time.' };
  if (container?.name === AGENT && container.exitCode === AGENT_FAILING)
    return { blocker: 'WORKER_UNHEALTHY', detail: FAILING };
  if (container?.name === AGENT && container.exitCode === AGENT_SILENT)
    return { blocker: 'WORKER_UNHEALTHY', detail: SILENT };
  const after = startedAt === undefined ? '' : ` after ${Math.max(0, Math.round((stoppingAt - startedAt) / SECOND))} s`;
  const reason = container?.reason ? `: ${container.reason}` : '';
  const detail = container
    ? `container "${container.name}" exited with code ${container.exitCode}${after}${reason}.`
    : stoppedReason;
  return { blocker: 'WORKER_EXITS', detail: sanitizeDetail(detail) };
}

/** Joins the stop reason of the task and those of its containers, which are more precise. */
function stopReasonOf({ stoppedReason = '', containers }: TaskEvent): string {
  const reasons = containers.flatMap(({ reason }) => (reason && !stoppedReason.includes(reason) ? [reason] : []));
  return [stoppedReason, ...reasons].filter(Boolean).join(' ');
}

/** Returns why a task has stopped: messages of ECS, and the container whose exit stopped it. */
export function stopCauseOf(event: TaskEvent) {
  const { name: container, exitCode } = culprit(event) ?? {};
  return { reason: sanitizeDetail(stopReasonOf(event)), container, exitCode };
}

/** Stop codes of a task that the service or a user no longer wanted. */
const UNWANTED: readonly (string | undefined)[] = ['ServiceSchedulerInitiated', 'UserInitiated'];

/**
 * Returns whether the task of a pool stopped before any instance had room for it. ECS gives such a task up after 10 to
 * 30 minutes.
 */
function neverHadPlace({ launchType, capacityProviderName, containerInstanceArn, startedAt, stopCode }: TaskEvent) {
  const provider = capacityProviderName ?? '';
  const isOnPool = launchType === 'EC2' || (launchType === undefined && /^(?!FARGATE(?:_SPOT)?$)./.test(provider));
  return isOnPool && containerInstanceArn === undefined && startedAt === undefined && !UNWANTED.includes(stopCode);
}

/**
 * Returns the fact that no instance had room for a task. The fact names no task, so that it never counts as a failed
 * start of the endpoint or of its release.
 */
function noPlaceFact(event: TaskEvent): Fact {
  const reason = stopReasonOf(event);
  const base = { is: 'failed', at: event.stoppingAt ?? event.at, detail: sanitizeDetail(reason) } as const;
  // The event of the Auto Scaling group contains the reason why no instance starts, so that event takes precedence.
  return meaningOf(reason, 'NO_CAPACITY') === 'QUOTA'
    ? { ...base, blocker: 'QUOTA' }
    : { ...base, blocker: 'NO_CAPACITY', isVague: true };
}

/**
 * Returns the fact about a task that stops. The lease shows whether the container has ever asked for a job: an agent
 * deletes its lease only after the container has asked. An exit of a task that ran and has no lease is therefore no
 * failed start. If the first event of the stop arrives after a sweep has removed the ended lease, a failed start is
 * missed, so that an exit of a ready worker never counts as one.
 */
function stopFact(event: TaskEvent, lease: Lease | undefined): Fact {
  if (neverHadPlace(event)) return noPlaceFact(event);
  const { worker: task, revision, stopCode, stoppedReason = '', startedAt } = event;
  // All events of one stop have the same `stoppingAt`.
  const at = event.stoppingAt ?? event.at;
  const readySince = lease?.readySince;
  const neverReady = startedAt === undefined || readySince === null;
  const failed = (blocker: Blocker, detail: string): Fact => ({
    is: 'failed',
    at,
    blocker,
    detail,
    ...(neverReady && { task, revision }),
  });
  if (/health ?checks?/i.test(stoppedReason)) return failed('WORKER_UNHEALTHY', sanitizeDetail(stoppedReason));
  if (stopCode === 'TaskFailedToStart') {
    const reason = stopReasonOf(event);
    return failed(meaningOf(reason, 'CANNOT_START'), sanitizeDetail(reason));
  }
  if (stopCode === 'EssentialContainerExited') {
    const { blocker, detail } = exit(event);
    if (neverReady || blocker === 'WORKER_UNHEALTHY') return failed(blocker, detail);
  }
  return typeof readySince === 'number' ? { is: 'ready', task, revision, at: readySince } : { is: 'stopped', task, at };
}

function taskFact(event: TaskEvent, lease: Lease | undefined): Fact | undefined {
  const { worker: task, at, lastStatus, desiredStatus, stopCode } = event;
  if (stopCode !== undefined) return stopFact(event, lease);
  if (desiredStatus !== 'RUNNING') return undefined;
  if (lastStatus === 'PENDING') return { is: 'placed', task, at };
  if (lastStatus === 'RUNNING') return { is: 'running', task, at };
  return undefined;
}

/** Reason of a rollback deployment, which must not clear the reason why the earlier deployment failed. */
const ROLLING_BACK = /circuit breaker/i;

function serviceFact({ name, at, reason }: ServiceEvent): Fact | undefined {
  const failed = (otherwise: Blocker): Fact => ({
    is: 'failed',
    at,
    blocker: meaningOf(reason ?? '', otherwise),
    detail: sanitizeDetail(reason ?? name),
  });
  switch (name) {
    case 'SERVICE_TASK_PLACEMENT_FAILURE':
      return { ...failed('NO_CAPACITY'), ...(lacksInstances(reason ?? '') && { isVague: true }) };
    case 'SERVICE_TASK_CONFIGURATION_FAILURE':
      return failed('CANNOT_START');
    case 'SERVICE_TASK_START_IMPAIRED':
    case 'SERVICE_DEPLOYMENT_FAILED':
      return { is: 'failed', at, blocker: 'CANNOT_START', detail: sanitizeDetail(reason ?? name), isVague: true };
    case 'SERVICE_DEPLOYMENT_IN_PROGRESS':
      return ROLLING_BACK.test(reason ?? '') ? undefined : { is: 'released', at };
    default:
      return undefined;
  }
}

/**
 * Returns the fact that an instance could not be launched.
 * @param reason message of EC2 or Auto Scaling
 */
export const launchFact = ({ at, reason }: Pick<LaunchEvent, 'at' | 'reason'>): Fact => ({
  is: 'failed',
  at,
  blocker: meaningOf(reason, 'CANNOT_START'),
  detail: sanitizeDetail(reason),
});

/**
 * Returns the fact that an event reports.
 * @param lease of the event's task, if the task has a lease
 * @returns undefined if the event contains nothing new about workers
 */
export const factOf = (event: WorkerEvent, lease: Lease | undefined): Fact | undefined =>
  event.of === 'task' ? taskFact(event, lease) : serviceFact(event);
