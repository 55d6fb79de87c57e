/** The jobs that a worker holds, from the take until their end is recorded or the container has let go of them. */

import type { Clock } from '../../core/clock.ts';
import type { Endpoints } from '../../core/endpoints/store.ts';
import type { Chunks } from '../../core/jobs/chunk-store.ts';
import { hold, type Loss } from '../../core/jobs/hold.ts';
import type { RunningJob } from '../../core/jobs/job.ts';
import type { JobQueues, ReceivedMessage } from '../../core/jobs/queues.ts';
import type { Jobs, Objects } from '../../core/jobs/store.ts';
import type { HoldFields } from '../../core/workers/hold-line.ts';
import type { AgentLog } from './agent.ts';
import { createHeldJob, type HeldJob } from './held-job.ts';
import type { Stops } from './stops.ts';

/** A job that is still this worker's. */
export interface OwnJob extends HeldJob {
  /** Name of the caller in the user's container that gets it. */
  readonly taker: string;
}

interface Entry extends OwnJob {
  /** Why it is no longer this worker's, although the container may still run it. */
  loss?: Loss;
  /** Its end is being recorded. */
  busy?: boolean;
}

export interface HeldJobs {
  readonly size: number;
  add(job: RunningJob, message: ReceivedMessage, taker: string): void;
  has(id: string): boolean;
  /** Whether the job's end is being recorded. */
  isEnding(id: string): boolean;
  /** The job, if it is held and still this worker's. */
  find(id: string): HeldJob | undefined;
  /** Those that are still this worker's, for its lease. */
  own(): readonly OwnJob[];
  /**
   * Ends the worker's hold of a job; if that fails, it holds it still.
   * @param record records the end, unless the job is lost, and says what happened
   */
  end(id: string, record: (job: HeldJob) => Promise<string>): Promise<boolean>;
  giveBack(id: string): Promise<void>;
  /** Puts back all jobs, or all of one taker. */
  giveBackAll(taker?: string): Promise<void>;
  /** Looks whether the jobs are still this worker's; the container shall stop those that are not. */
  look(): Promise<void>;
}

/** @param onLetGo is called when one job less is held */
export function createHeldJobs(
  ports: {
    readonly chunks: Chunks;
    readonly clock: Clock;
    readonly endpoints: Endpoints;
    readonly jobQueues: JobQueues;
    readonly jobs: Jobs;
    readonly objects: Objects;
  },
  stops: Pick<Stops, 'add' | 'remove'>,
  log: AgentLog,
  onLetGo: () => void,
): HeldJobs {
  const held = new Map<string, Entry>();

  async function end(id: string, record: (job: HeldJob) => Promise<string>): Promise<boolean> {
    const entry = held.get(id);
    if (!entry) return false;
    entry.busy = true;
    try {
      const message = entry.loss ? 'The container let go of a job that was lost.' : await record(entry);
      // The same report may have come twice, and the job have been taken again since the first one.
      if (held.get(id) !== entry) return true;
      held.delete(id);
      entry.stream.stop();
      stops.remove(id);
      onLetGo();
      log.info(message, { jobId: id, holds: false, held: held.size } satisfies HoldFields);
      return true;
    } finally {
      entry.busy = false;
    }
  }

  async function giveBack(id: string): Promise<void> {
    await end(id, async (job) => {
      await job.giveBack();
      return 'Job given back.';
    });
  }

  async function lookAt(entry: Entry): Promise<void> {
    if (entry.loss || entry.busy) return;
    const { id } = entry.job;
    const loss = await hold(ports, entry.job);
    if (!loss || entry.busy || held.get(id) !== entry) return;
    entry.loss = loss;
    entry.stream.stop();
    stops.add(id);
    log.info(`A job that runs here shall stop: ${loss}.`, { jobId: id });
    // Another worker may have taken it by this very message, and need it.
    if (loss !== 'taken over') await entry.dropMessage();
  }

  return {
    get size() {
      return held.size;
    },
    add: (job, message, taker) => held.set(job.id, { ...createHeldJob(ports, job, message, log), taker }),
    has: (id) => held.has(id),
    isEnding: (id) => held.get(id)?.busy === true,
    find: (id) => (held.get(id)?.loss ? undefined : held.get(id)),
    own: () => [...held.values()].filter(({ loss }) => !loss),
    end,
    giveBack,

    async giveBackAll(taker) {
      const theirs = [...held.values()].filter((entry) => taker === undefined || entry.taker === taker);
      const given = await Promise.allSettled(theirs.map(({ job }) => giveBack(job.id)));
      const failures = given.filter((result) => result.status === 'rejected').map(({ reason }) => reason as unknown);
      if (failures.length > 0) throw new AggregateError(failures, 'Jobs could not be given back.');
    },

    async look() {
      const looks = [...held.values()].map((entry) =>
        lookAt(entry).catch((error: unknown) => log.error('A job could not be read.', { error, jobId: entry.job.id })),
      );
      await Promise.all(looks);
    },
  };
}
