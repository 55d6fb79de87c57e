/**
 * Maintains the worker's lease until the worker stops: renews it, one renewal after the other. `worker/main.ts` calls
 * `beat` every `BEAT`.
 */
import { saveStart } from '../../core/fleet/start.ts';
import { removeAfterEnd } from '../../core/jobs/ending.ts';
import { BEAT, LEASE } from '../../core/limits.ts';
import type { Lease } from '../../core/workers/lease.ts';
import type { HeldJobs } from './held-jobs.ts';
import type { AgentLog, AgentPorts } from './ports.ts';

export interface Heartbeat {
  /** Renews the lease, which contains the ids of the held jobs. */
  beat(): Promise<void>;
  /** Starts a renewal of the lease without waiting for it; logs a failure. */
  refresh(): void;
  /**
   * Ensures a lease that lasts until the next beat and shows that the container is ready. Called when the user's
   * container asks for a job.
   */
  ready(): Promise<void>;
  /** Stops renewing the lease, and deletes it if the container has ever asked for a job. */
  end(): Promise<void>;
}

export interface HeartbeatOptions {
  readonly ports: Pick<AgentPorts, 'clock' | 'starts' | 'workers'>;
  readonly endpoint: string;
  readonly worker: string;
  readonly revision: number | undefined;
  readonly held: Pick<HeldJobs, 'own'>;
  readonly log: AgentLog;
  /** The fields of the lease that change with the worker's state. */
  state(): Pick<Lease, 'asks' | 'idleSince' | 'retiring' | 'silent' | 'unprotected'>;
}

export function createHeartbeat({ ports, endpoint, worker, revision, held, log, state }: HeartbeatOptions): Heartbeat {
  const { clock } = ports;
  /** End of the stored lease if the lease has `readySince`. */
  let readyUntil = 0;
  /** Time at which the user's container first asked for a job. */
  let readySince: number | undefined;
  let lastBeat: Promise<void> = Promise.resolve();
  /** The write of `readySince` to the start of the worker, which outlives the lease. */
  let savedReady: Promise<void> | undefined;
  let ended = false;
  /** The renewal that callers of `ready` wait for. Callers at the same time share one. */
  let renewing: Promise<void> | undefined;

  /** Adds `readySince` to the start of the worker. If that fails, the next beat repeats it. */
  async function saveReady(readyAt: number): Promise<void> {
    try {
      await saveStart(ports, endpoint, worker, { readyAt });
    } catch (error) {
      savedReady = undefined;
      log.error('The start of the worker could not be stored.', { error });
    }
  }

  async function renewLease(): Promise<void> {
    if (ended) return;
    const endsAt = clock.now() + LEASE;
    const named = held.own();
    const since = readySince;
    await ports.workers.beat({
      endpoint,
      worker,
      jobs: named.map(({ job }) => job.id),
      readySince: since ?? null,
      revision,
      ...state(),
      endsAt,
      removeAfter: removeAfterEnd(endsAt),
    });
    for (const job of named) job.dropMessage();
    if (since === undefined) return;
    readyUntil = endsAt;
    // A job need not wait for this write.
    savedReady ??= saveReady(since);
  }

  /**
   * Renews the lease after the previous renewal has ended. Otherwise a lease that does not contain a job yet could
   * overwrite the lease that does, although the job's message is already deleted.
   */
  function beat(): Promise<void> {
    const renewed = lastBeat.then(renewLease);
    lastBeat = renewed.catch(() => undefined);
    return renewed;
  }

  return {
    beat,
    refresh: () => void beat().catch((error: unknown) => log.error('The lease could not be renewed.', { error })),

    async ready() {
      // The sweeper rescues the jobs of a worker without a valid lease, so the worker takes no job without a
      // lease that lasts until the next beat. If a job crashes a container whose lease has no `readySince`, the
      // crash counts as a failed start.
      readySince ??= clock.now();
      if (readyUntil - clock.now() >= LEASE - BEAT) return;
      // If the renewal of another caller fails, this caller tries again.
      const shared = renewing?.then(
        () => true,
        () => false,
      );
      if (shared && (await shared)) return;
      renewing ??= beat().finally(() => {
        renewing = undefined;
      });
      await renewing;
    },

    async end() {
      ended = true;
      await lastBeat;
      await savedReady;
      // If the container never asked for a job, the lease remains: without `readySince`, it shows that the container was
      // never ready. It is removed when ECS reports that the task has stopped, or by the first sweep after `endsAt`.
      if (readySince !== undefined) await ports.workers.remove(endpoint, worker);
    },
  };
}
