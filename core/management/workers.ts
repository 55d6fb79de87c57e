import type { Clock } from '../clock.ts';
import type { ReleaseRecord } from '../endpoints/release-summary.ts';
import { deployed, type Endpoints } from '../endpoints/store.ts';
import { startStagesOf } from '../fleet/stages.ts';
import type { Starts, WorkerStart } from '../fleet/start.ts';
import { summaryOfJobs, type WorkerJobCounts, type WorkerJobsSummary } from '../history/worker-jobs.ts';
import { JOB_ID } from '../jobs/id.ts';
import { LEASE } from '../limits.ts';
import { keyOf, type ReleaseHistory } from '../releases/history.ts';
import { isoTime } from '../requests/time.ts';
import { type StageSummary, summaryOfStage } from '../status/timeline.ts';
import { isAlive, type Lease, stateOf, stateSince, type WorkerState, type Workers } from '../workers/lease.ts';

/**
 * A worker according to its lease, which it renews every `BEAT`. Times are ISO 8601. Unknown members are absent.
 */
export interface WorkerSummary extends WorkerJobsSummary {
  /** Id of the ECS task, which is the `workerId` of its jobs. */
  readonly id: string;
  readonly state: WorkerState;
  /** Start of the state; present for idle and unhealthy workers. */
  readonly since?: string;
  /** When the container first asked for jobs. */
  readonly readySince?: string;
  /** When the lease was last renewed. */
  readonly seenAt: string;
  /** Number of the revision of the endpoint's task definition that the worker runs. */
  readonly revision?: number;
  /** Id and version of the template of the revision. */
  readonly template?: string;
  readonly version?: number;
  /** Ids of the jobs that the worker holds. */
  readonly jobs: readonly string[];
  /** Whether the worker takes no more jobs and exits after the jobs that it holds. */
  readonly retiring: boolean;
  /** Present while ECS refuses protection: `WORKS` if the worker can hold jobs, `WAITS` if it takes none. */
  readonly unprotected?: 'WORKS' | 'WAITS';
  /** Stages of the worker's start, from the request for the worker until `readySince`. */
  readonly timeline?: readonly StageSummary[];
}

type WorkersPorts = {
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly starts: Starts;
  readonly workerJobCounts: Pick<WorkerJobCounts, 'read'>;
  readonly workers: Workers;
  readonly history: Pick<ReleaseHistory, 'read'>;
};

/**
 * Maximum number of releases that are read. Leases only name more revisions if user code has written false leases.
 */
const MAX_REVISIONS = 10;

/** Maximum number of starts that are read. Only false leases of user code are more. */
const MAX_STARTS = 100;

/**
 * Lists the workers of an endpoint that have a lease, sorted by id: live workers, and workers lost in the last
 * minute.
 *
 * Input: endpoint id. Output: their summaries.
 *  1. Refuse an unknown endpoint.
 *  2. Read the leases, the start and the ended jobs of each worker, and the release of each revision.
 */
export async function workers(ports: WorkersPorts, id: string): Promise<{ workers: WorkerSummary[] }> {
  await deployed(ports, id);
  const leases = await ports.workers.list(id);
  const readStart = ({ worker }: Lease) => ports.starts.read(id, worker);
  const known = leases.slice(0, MAX_STARTS);
  const [releases, starts, jobs] = await Promise.all([
    releasesOf(ports, id, leases),
    Promise.all(known.map(readStart)),
    ports.workerJobCounts.read(
      id,
      known.map(({ worker }) => worker),
    ),
  ]);
  const now = ports.clock.now();
  return {
    workers: leases.map((lease, n) => ({
      ...summaryOf(lease, releases, now),
      ...summaryOfJobs(jobs.get(lease.worker)),
      ...startOf(lease, starts[n], now),
    })),
  };
}

/** Returns the member `timeline` of a worker, if its start is stored. */
function startOf(lease: Lease, start: WorkerStart | undefined, now: number): Pick<WorkerSummary, 'timeline'> {
  if (start?.createdAt === undefined) return {};
  const readyAt = start.readyAt ?? lease.readySince ?? undefined;
  const until = isAlive(lease, now) ? now : lease.endsAt - LEASE;
  return { timeline: startStagesOf({ ...start, readyAt }, until).map(summaryOfStage) };
}

/** Reads the releases of the newest revisions in the leases. */
async function releasesOf(
  { history }: WorkersPorts,
  endpoint: string,
  leases: readonly Lease[],
): Promise<ReadonlyMap<number, ReleaseRecord>> {
  const named = leases.map(({ revision }) => revision).filter((revision) => revision !== undefined);
  const newest = [...new Set(named)].sort((one, other) => other - one).slice(0, MAX_REVISIONS);
  const read = async (revision: number) => [revision, await history.read(endpoint, keyOf(revision))] as const;
  const found = await Promise.all(newest.map(read));
  return new Map(found.flatMap(([revision, record]) => (record ? [[revision, record]] : [])));
}

function summaryOf(
  lease: Lease,
  releases: ReadonlyMap<number, ReleaseRecord>,
  now: number,
): Omit<WorkerSummary, keyof WorkerJobsSummary> {
  const { worker, jobs, readySince, revision, retiring = false, unprotected, endsAt } = lease;
  const state = stateOf(lease, now);
  const since = stateSince(lease, state);
  const { template, version } = (revision === undefined ? undefined : releases.get(revision)) ?? {};
  return {
    id: worker,
    state,
    ...(since !== undefined && { since: isoTime(since) }),
    ...(typeof readySince === 'number' && { readySince: isoTime(readySince) }),
    seenAt: isoTime(Math.max(0, endsAt - LEASE)),
    ...(revision !== undefined && { revision }),
    ...(template !== undefined && { template }),
    ...(version !== undefined && { version }),
    // User code can write its worker's lease, so malformed job ids are omitted.
    jobs: jobs.filter((job) => JOB_ID.test(job)),
    retiring,
    ...(unprotected && { unprotected }),
  };
}
