/** The member `timeline` of a job record: the stages of the job's wait. `docs/guides/waiting.md` explains them. */
import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { type Stage, type StageName, stagesOf } from '../fleet/stages.ts';
import type { Starts, WorkerStart } from '../fleet/start.ts';
import type { Job } from '../jobs/job.ts';
import { isAlive, isStarting, type Workers } from '../workers/lease.ts';

/** A stage as clients see it. */
export interface StageSummary {
  readonly stage: StageName;
  /** Start of the stage, ISO 8601. */
  readonly startedAt: string;
  /** Milliseconds. */
  readonly duration: number;
}

export const summaryOfStage = ({ stage, from, duration }: Stage): StageSummary => ({
  stage,
  startedAt: new Date(from).toISOString(),
  duration,
});

type TimelinePorts = { readonly clock: Clock; readonly starts: Starts; readonly workers: Workers };

/** Returns the start of a worker that is not ready yet, if there is one. */
async function startInProgress(
  { clock, starts, workers }: TimelinePorts,
  { id, fleet }: Pick<Endpoint, 'id' | 'fleet'>,
): Promise<WorkerStart | undefined> {
  const now = clock.now();
  const leases = await workers.listLately(id);
  const starting = leases.find((lease) => isAlive(lease, now) && isStarting(lease))?.worker;
  // A worker has no lease before its agent runs.
  const placed = fleet.condition?.is === 'STARTING' ? fleet.condition.task : undefined;
  const worker = starting ?? placed;
  return worker === undefined ? undefined : starts.read(id, worker);
}

/**
 * Returns the stages of a job's wait as JSON. Their durations add up to the delay time.
 * @param delayTime of the job record, in milliseconds
 * @param endpoint of a waiting job
 */
export async function timelineOf(
  ports: TimelinePorts,
  job: Job,
  delayTime: number,
  endpoint?: Endpoint,
): Promise<string> {
  const taken = 'startedAt' in job && job.startedAt !== undefined;
  const wait = { from: job.queuedAt, to: job.queuedAt + delayTime, taken };
  const ofWorker = taken && job.worker !== undefined ? await ports.starts.read(job.endpoint, job.worker) : undefined;
  const start = job.status === 'IN_QUEUE' && endpoint ? await startInProgress(ports, endpoint) : ofWorker;
  return JSON.stringify(stagesOf(wait, start).map(summaryOfStage));
}
