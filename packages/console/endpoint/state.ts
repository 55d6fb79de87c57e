/** Derives the state of an endpoint from its entry in `GET /v1/endpoints`. */
import type { Endpoint } from '../api/management-types.ts';
import { isCondition, waitReasons } from './wait-reasons.ts';

export type StateKind =
  | 'condition'
  | 'no-workers'
  | 'rolled-back'
  | 'starting'
  | 'releasing'
  | 'waiting'
  | 'running'
  | 'ready'
  | 'empty';

export interface EndpointState {
  readonly kind: StateKind;
  /** Title in a few words. */
  readonly title: string;
  /** A sentence with details. */
  readonly detail?: string;
  readonly helps?: string;
}

/** @returns whether a worker is ready and can take a job now or soon */
const hasWorkers = ({ health: { workers } }: Endpoint) => workers.ready > 0;

function conditionOf({ health }: Endpoint): EndpointState | undefined {
  const { waitReason: reason, waitDetail } = health;
  if (!isCondition(reason)) return;
  const { means, helps } = waitReasons[reason];
  return { kind: 'condition', title: reason, detail: waitDetail ?? means, helps };
}

function withoutWorkersOf(endpoint: Endpoint): EndpointState | undefined {
  const { jobs, workers } = endpoint.health;
  if (jobs.inQueue === 0 || hasWorkers(endpoint)) return;
  if (workers.initializing > 0) return { kind: 'starting', title: 'Jobs wait, workers start' };
  return { kind: 'no-workers', title: 'Jobs wait without workers' };
}

/** @returns whether nothing happens until a job comes, so that no worker tries out a new release */
const isEmpty = ({ health: { jobs, workers } }: Endpoint) =>
  jobs.inQueue + jobs.inProgress + workers.ready + workers.initializing + workers.throttled + workers.unhealthy === 0;

function releaseOf(endpoint: Endpoint): EndpointState | undefined {
  const { release } = endpoint;
  if (release?.state === 'ROLLED_BACK')
    return {
      kind: 'rolled-back',
      title: 'Rolled back',
      ...(release.reason !== undefined && { detail: release.reason }),
    };
  if (release?.state === 'IN_PROGRESS' && !isEmpty(endpoint))
    return {
      kind: 'releasing',
      title: 'Rolling out',
      ...(release.reason !== undefined && { detail: release.reason }),
    };
}

const UNTRIED = 'The next worker tries out the release.';

function everydayOf({ health: { jobs, workers }, release }: Endpoint): EndpointState {
  if (jobs.inQueue > 0) return { kind: 'waiting', title: workers.idle > 0 ? 'Jobs wait' : 'All workers busy' };
  if (jobs.inProgress > 0) return { kind: 'running', title: 'Running' };
  if (workers.ready > 0) return { kind: 'ready', title: 'Ready' };
  return { kind: 'empty', title: 'Scaled to zero', ...(release?.state === 'IN_PROGRESS' && { detail: UNTRIED }) };
}

/**
 * Returns the most urgent state: a condition, jobs without workers, a release that was rolled back, then normal
 * states.
 */
export const stateOf = (endpoint: Endpoint): EndpointState =>
  conditionOf(endpoint) ?? withoutWorkersOf(endpoint) ?? releaseOf(endpoint) ?? everydayOf(endpoint);
