import { someAtOnce } from '../at-once.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { hintAt, queueOf } from '../jobs/hint.ts';
import type { Job } from '../jobs/job.ts';
import { HINT_LOST, HINTS_AT_ONCE, HINTS_PER_SWEEP } from '../limits.ts';
import { isAlive, type Lease } from '../workers/lease.ts';
import type { World } from '../world.ts';

type HintsWorld = Pick<World, 'clock' | 'endpoints' | 'hints' | 'jobs' | 'workers'>;

/**
 * Hints workers again at jobs whose hints are lost. Otherwise such a job would wait for its whole ttl, or run until its
 * executionTimeout, and keep a worker that waits for it.
 *
 * Input: endpoint. Output: how many hints were sent. Without one of these reasons, no job is read.
 *  1. The stack of the endpoint was removed, its queues with it, and is deployed again: hint at all jobs that wait, and at
 *     those that run and that no lease names.
 *  2. A worker idles although jobs wait, because the client of a job ended before it sent the hint, or the queue gave it up:
 *     hint at those that have waited for long.
 */
export async function sweepHints(world: HintsWorld, endpoint: Endpoint): Promise<number> {
  if (endpoint.hintsLostAt !== undefined) return hintAfterRemoval(world, endpoint, endpoint.hintsLostAt);
  const now = world.clock.now();
  const idles = (lease: Lease) =>
    isAlive(lease, now) && lease.idleSince !== undefined && now - lease.idleSince >= HINT_LOST;
  if (endpoint.counts.inQueue <= 0 || !(await world.workers.list(endpoint.id)).some(idles)) return 0;

  let sent = 0;
  for await (const job of world.jobs.list(endpoint.id)) {
    if (!waits(job, endpoint, now) || now - (job.queueDeadline - job.queueTtl) < HINT_LOST) continue;
    await hint(world, endpoint, job);
    sent += 1;
    if (sent === HINTS_PER_SWEEP) break;
  }
  return sent;
}

const waits = (job: Job, { generation }: Endpoint, now: number) =>
  job.status === 'IN_QUEUE' && job.generation >= generation && now < job.queueDeadline;

/** A job that runs joins the present generation when it is put back. */
function hint({ hints }: HintsWorld, endpoint: Endpoint, job: Job): Promise<void> {
  const generation = job.status === 'IN_PROGRESS' ? endpoint.generation : job.generation;
  return hints.send(queueOf(endpoint, job, generation), hintAt(job, generation));
}

/**
 * A worker that receives the hint of a job of a lost worker puts the job back. A lost worker may still have a lease, which
 * names no job that it took after its last beat; a living worker names its jobs later, and keeps them until then. Sweeps
 * that run at the same time leave this to the first one, unless that one has had the time that a function may take.
 */
async function hintAfterRemoval(world: HintsWorld, endpoint: Endpoint, lostAt: number): Promise<number> {
  const now = world.clock.now();
  if (!(await world.endpoints.claimHints(endpoint.id, lostAt, now))) return 0;
  const named = new Set((await world.workers.list(endpoint.id)).flatMap(({ jobs }) => jobs));
  const isStray = (job: Job) => job.status === 'IN_PROGRESS' && !named.has(job.id);
  const send = (jobs: readonly Job[]) => someAtOnce(jobs, HINTS_AT_ONCE, (job) => hint(world, endpoint, job));
  let sent = 0;
  let lost: Job[] = [];
  for await (const job of world.jobs.list(endpoint.id)) {
    if (!waits(job, endpoint, now) && !isStray(job)) continue;
    lost.push(job);
    if (lost.length < HINTS_PER_SWEEP) continue;
    sent += (await send(lost)).length;
    lost = [];
  }
  sent += (await send(lost)).length;
  await world.endpoints.noteHinted(endpoint.id, lostAt);
  return sent;
}
