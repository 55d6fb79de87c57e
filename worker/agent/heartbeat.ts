/** The worker's lease: renewed every `BEAT`, in order, until the worker leaves. */
import type { Clock } from '../../core/clock.ts';
import { removeAfterEnd } from '../../core/jobs/remove-after.ts';
import { BEAT, LEASE } from '../../core/limits.ts';
import type { Lease, Workers } from '../../core/workers/lease.ts';
import type { HeldJobs } from './held-jobs.ts';

export interface Heartbeat {
  /** Renews the lease, which names the held jobs. */
  beat(): Promise<void>;
  /** The user's container asks for a job: makes sure of a lease that lasts until the next beat. */
  ready(): Promise<void>;
  /** Renews the lease no more, and deletes it. */
  leave(): Promise<void>;
}

export interface HeartbeatOptions {
  readonly ports: { readonly clock: Clock; readonly workers: Workers };
  readonly endpoint: string;
  readonly worker: string;
  readonly revision: number | undefined;
  readonly held: Pick<HeldJobs, 'own'>;
  /** What else the lease says now. */
  state(): Pick<Lease, 'asks' | 'idleSince' | 'retiring' | 'unprotected'>;
}

export function createHeartbeat({ ports, endpoint, worker, revision, held, state }: HeartbeatOptions): Heartbeat {
  const { clock } = ports;
  let leaseEnds = 0;
  /** When the user's container asked for a job for the first time. */
  let readySince: number | undefined;
  let lastBeat: Promise<void> = Promise.resolve();
  let left = false;

  async function renewLease(): Promise<void> {
    if (left) return;
    const endsAt = clock.now() + LEASE;
    const named = held.own();
    await ports.workers.beat({
      endpoint,
      worker,
      jobs: named.map(({ job }) => job.id),
      readySince: readySince ?? null,
      revision,
      ...state(),
      endsAt,
      removeAfter: removeAfterEnd(endsAt),
    });
    leaseEnds = endsAt;
    await Promise.all(named.map((job) => job.dropMessage()));
  }

  /**
   * One after the other: a lease that does not name a job must not come after the one for which its message was
   * deleted.
   */
  function beat(): Promise<void> {
    const renewed = lastBeat.then(renewLease);
    lastBeat = renewed.catch(() => undefined);
    return renewed;
  }

  return {
    beat,

    async ready() {
      // Others judge a job by its worker's lease, so none is taken without one that will last until the next beat. And
      // it must be known that the container was ready before one of its jobs can end it.
      const isFirst = readySince === undefined;
      readySince ??= clock.now();
      if (isFirst || leaseEnds - clock.now() < LEASE - BEAT) await beat();
    },

    async leave() {
      left = true;
      await lastBeat;
      // Its lease tells that the container never asked for a job, until the task is known to have stopped.
      if (readySince !== undefined) await ports.workers.leave(endpoint, worker);
    },
  };
}
