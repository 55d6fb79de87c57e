/**
 * The agent's side of a job: it finds work for the user's container, holds the jobs under the worker's lease while they
 * run, and records how they end. The user's container reaches it over `gateway.ts`.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { finish, type Report } from '../core/jobs/finish.ts';
import type { RunningJob } from '../core/jobs/job.ts';
import { load } from '../core/jobs/payload.ts';
import { rescue } from '../core/jobs/rescue.ts';
import { take } from '../core/jobs/take.ts';
import { tidyAfter } from '../core/jobs/tidy.ts';
import { BEAT, LEASE, SECOND } from '../core/limits.ts';
import type { ReceivedHint, World } from '../core/world.ts';
import { createHintSource } from './hint-source.ts';

/** One long poll of SQS, its longest. */
const RECEIVE_WAIT = 20 * SECOND;

export interface AgentConfig {
  readonly endpoint: string;
  /** Unique among all workers there ever were: writes are fenced by it. */
  readonly worker: string;
  readonly queueUrls: readonly string[];
}

export interface AgentLog {
  info(message: string, fields: Record<string, unknown>): void;
  error(message: string, fields: Record<string, unknown>): void;
}

/** A job for the user's container, with its input as JSON text. */
export interface Offer {
  readonly id: string;
  readonly input: string;
}

export interface Agent {
  /** Renews the lease and hides the hints of held jobs from other workers. Called every `BEAT`. */
  beat(): Promise<void>;
  /** The next job, or nothing once `signal` aborts or the agent drains. */
  next(signal: AbortSignal): Promise<Offer | undefined>;
  /** Records the end of a job; of one that this worker does not hold, nothing. */
  report(id: string, report: Report): Promise<void>;
  /** Puts a job back that the user's container never got. */
  giveBack(id: string): Promise<void>;
  /** Puts back all held jobs: the user's container says that it has none. */
  giveBackAll(): Promise<void>;
  /** Takes no more jobs, waits up to `grace` ms for held ones to end, gives back the rest, and leaves. */
  drain(grace: number): Promise<void>;
}

interface HeldJob {
  readonly job: RunningJob;
  readonly hint: ReceivedHint;
}

export function createAgent(
  world: Pick<World, 'clock' | 'endpoints' | 'hints' | 'jobs' | 'payloads' | 'workers'>,
  { endpoint, worker, queueUrls }: AgentConfig,
  log: AgentLog,
): Agent {
  const held = new Map<string, HeldJob>();
  let leaseEnds = 0;
  let allEnded = () => {};

  /** Shows a hint to other workers at once. If that fails it shows by itself, when its time is over. */
  const showAgain = (hint: ReceivedHint) =>
    world.hints.hide(hint, 0).catch((error: unknown) => log.error('A hint could not be given back.', { error }));

  const source = createHintSource(queueUrls, {
    receive: (queueUrl, signal) => world.hints.receive(queueUrl, RECEIVE_WAIT, LEASE, signal),
    giveBack: showAgain,
    onError: (error) => log.error('A queue could not be read; trying again.', { error }),
  });

  async function beat(): Promise<void> {
    const endsAt = world.clock.now() + LEASE;
    await world.workers.beat({ endpoint, worker, jobs: [...held.keys()], endsAt, removeAfter: tidyAfter(endsAt) });
    leaseEnds = endsAt;
    const hides = [...held.values()].map(({ hint }) => world.hints.hide(hint, LEASE));
    // A hint that shows again does no harm: the job is under this lease, and the lease is what counts.
    for (const { reason } of (await Promise.allSettled(hides)).filter((hide) => hide.status === 'rejected'))
      log.error('A hint could not be hidden.', { error: reason });
  }

  async function offerOf(hint: ReceivedHint): Promise<Offer | undefined> {
    const deployed = await world.endpoints.read(endpoint);
    if (!deployed) throw new Error(`The endpoint ${endpoint} is not registered.`);
    const taken = await take(world, deployed, worker, hint);
    if (taken.outcome === 'stale') await world.hints.drop(hint);
    if (taken.outcome === 'held') await world.hints.hide(hint, taken.hidden);
    if (taken.outcome !== 'taken') return undefined;
    const input = await load(world, taken.job, taken.job.input);
    held.set(hint.job, { job: taken.job, hint });
    log.info('Job taken.', { job: hint.job, attempt: taken.job.attempt });
    return { id: hint.job, input };
  }

  function letGo(id: string): void {
    held.delete(id);
    if (held.size === 0) allEnded();
  }

  async function giveBack(id: string): Promise<void> {
    const found = held.get(id);
    if (!found) return;
    await rescue(world, found.job, 0);
    letGo(id);
    log.info('Job given back.', { job: id });
    await showAgain(found.hint);
  }

  async function giveBackAll(): Promise<void> {
    for (const id of [...held.keys()]) await giveBack(id);
  }

  return {
    beat,
    giveBack,
    giveBackAll,

    async next(signal) {
      while (!signal.aborted) {
        // Others judge a job by its worker's lease, so none is taken without one that will last until the next beat.
        if (leaseEnds - world.clock.now() < LEASE - BEAT) await beat();
        const hint = await source.next(signal);
        if (!hint) return undefined;
        const offer = await offerOf(hint).catch((error: unknown) => {
          log.error('A job could not be taken; its hint will come again.', { error, job: hint.job });
        });
        if (offer) return offer;
      }
      return undefined;
    },

    async report(id, report) {
      const found = held.get(id);
      if (!found) return log.info('A report for a job that is not held here was dropped.', { job: id });
      const counts = await finish(world, found.job, report);
      letGo(id);
      await world.hints.drop(found.hint);
      log.info(counts ? 'Job ended.' : 'A report came too late and was dropped.', { job: id });
    },

    async drain(grace) {
      source.stop();
      const ended = new Promise<void>((resolve) => {
        allEnded = resolve;
      });
      // Unreferenced, because the process must not wait for the timer once all jobs have ended.
      if (held.size > 0) await Promise.race([ended, delay(grace, undefined, { ref: false })]);
      await giveBackAll();
      await world.workers.leave(endpoint, worker);
    },
  };
}
