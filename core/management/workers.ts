import type { Clock } from '../clock.ts';
import type { ReleaseRecord } from '../endpoints/release-summary.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import { JOB_ID } from '../jobs/id.ts';
import { LEASE } from '../limits.ts';
import { keyOf, type ReleaseHistory } from '../releases/history.ts';
import { type Lease, stateOf, stateSince, type WorkerState, type Workers } from '../workers/lease.ts';

/** A worker, from its lease, which it renews every `BEAT`. Times are ISO 8601. Unknown members are absent. */
export interface WorkerSummary {
  /** Id of the ECS task: `workerId` of its jobs. */
  readonly id: string;
  readonly state: WorkerState;
  /** Since when it is in this state; known of idle and unhealthy workers. */
  readonly since?: string;
  /** Since when its container asks for jobs. */
  readonly readySince?: string;
  /** When its lease was renewed last. */
  readonly seenAt: string;
  /** Number of the revision of the endpoint's task definition that it runs. */
  readonly revision?: number;
  /** Template of that revision, by id, and its version. */
  readonly template?: string;
  readonly version?: number;
  /** Ids of the jobs that it holds. */
  readonly jobs: readonly string[];
  /** Whether it takes no more jobs and ends with those that it holds. */
  readonly retiring: boolean;
  /** While ECS refuses to protect it: `WORKS` if it may hold jobs all the same, `WAITS` if it takes none. */
  readonly unprotected?: 'WORKS' | 'WAITS';
}

type WorkersPorts = {
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly workers: Workers;
  readonly history: Pick<ReleaseHistory, 'read'>;
};

/** Most releases that are read: more run at once only if a worker's code has written leases of its own. */
const MOST_REVISIONS = 10;

/**
 * Lists the workers of an endpoint that have a lease, by id: living ones, and those that were lost in the last minute.
 *
 * Input: endpoint id. Output: the workers.
 *  1. Refuse an unknown endpoint.
 *  2. Read the leases, and the release of each revision that they name.
 */
export async function workers(ports: WorkersPorts, id: string): Promise<{ workers: WorkerSummary[] }> {
  await deployed(ports, id);
  const leases = await ports.workers.list(id);
  const releases = await releasesOf(ports, id, leases);
  const now = ports.clock.now();
  return { workers: leases.map((lease) => summaryOf(lease, releases, now)) };
}

/** Reads the releases of the newest revisions that leases name. */
async function releasesOf(
  { history }: WorkersPorts,
  endpoint: string,
  leases: readonly Lease[],
): Promise<ReadonlyMap<number, ReleaseRecord>> {
  const named = leases.map(({ revision }) => revision).filter((revision) => revision !== undefined);
  const newest = [...new Set(named)].sort((one, other) => other - one).slice(0, MOST_REVISIONS);
  const read = async (revision: number) => [revision, await history.read(endpoint, keyOf(revision))] as const;
  const found = await Promise.all(newest.map(read));
  return new Map(found.flatMap(([revision, record]) => (record ? [[revision, record]] : [])));
}

const iso = (time: number) => new Date(time).toISOString();

function summaryOf(lease: Lease, releases: ReadonlyMap<number, ReleaseRecord>, now: number): WorkerSummary {
  const { worker, jobs, readySince, revision, retiring = false, unprotected, endsAt } = lease;
  const state = stateOf(lease, now);
  const since = stateSince(lease, state);
  const { template, version } = (revision === undefined ? undefined : releases.get(revision)) ?? {};
  return {
    id: worker,
    state,
    ...(since !== undefined && { since: iso(since) }),
    ...(typeof readySince === 'number' && { readySince: iso(readySince) }),
    seenAt: iso(Math.max(0, endsAt - LEASE)),
    ...(revision !== undefined && { revision }),
    ...(template !== undefined && { template }),
    ...(version !== undefined && { version }),
    // A worker's code can write its lease; the service has not given it a job with a malformed id.
    jobs: jobs.filter((job) => JOB_ID.test(job)),
    retiring,
    ...(unprotected && { unprotected }),
  };
}
