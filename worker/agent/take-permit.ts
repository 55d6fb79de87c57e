/**
 * Decides whether the worker may take jobs: it may if ECS protects it, or if its release lets it work unprotected
 * (core/workers/unprotected.ts).
 */

import type { Endpoints } from '../../core/endpoints/store.ts';
import type { Lease } from '../../core/workers/lease.ts';
import { mayWorkUnprotected } from '../../core/workers/unprotected.ts';
import type { AgentLog, AgentPorts } from './ports.ts';
import { type Protection, ProtectionBlocked } from './protection.ts';

export interface TakePermit {
  /**
   * Returns whether the worker may take the job: whether ECS protects the worker, or the release lets it work
   * unprotected. Logs a refusal.
   */
  ask(jobId: string): Promise<boolean>;
  /** The state that the lease shows. */
  state(): Lease['unprotected'];
  /** Retries the protection while it is `wanted` and missing, and renews it in time. Called every `WATCH`. */
  keep(wanted: boolean): Promise<void>;
}

export interface TakePermitOptions {
  readonly ports: Pick<AgentPorts, 'clock' | 'endpoints'>;
  readonly endpoint: string;
  /** Number of the worker's revision. Without it, no release lets the worker work unprotected. */
  readonly revision: number | undefined;
  readonly log: AgentLog;
  readonly protection: Protection;
  /** Whether the worker holds a job, or is about to hold one. */
  isBusy(): boolean;
  /** Stores a lease that shows `state`. */
  beat(): Promise<void>;
}

export function createTakePermit(options: TakePermitOptions): TakePermit {
  const { ports, endpoint, revision, log, protection, isBusy, beat } = options;
  let state: Lease['unprotected'];
  let beginning: Promise<boolean> | undefined;

  async function isLetWork(read: Endpoints['read']): Promise<boolean> {
    const present = await read(endpoint);
    return !!present && revision !== undefined && mayWorkUnprotected(present, revision, ports.clock.now());
  }

  /** Changes the state together with the lease. A state that no lease shows does not take effect. */
  async function beatAs(next: Lease['unprotected'], before: Lease['unprotected']): Promise<void> {
    state = next;
    try {
      await beat();
    } catch (error) {
      state = before;
      throw error;
    }
  }

  /**
   * Begins to work unprotected. The lease shows the state first: from then on neither the scaler nor a release
   * stops this worker.
   */
  async function begin(): Promise<boolean> {
    const before = state;
    await beatAs('WORKS', before);
    if (await isLetWork(ports.endpoints.readNow)) {
      if (before !== 'WORKS') log.info('ECS protects no more workers, so this worker works unprotected.', { revision });
      return true;
    }
    // A job that the worker holds unprotected keeps it in this state, although it takes no other job.
    if (before === 'WORKS') return false;
    await beatAs('WAITS', before);
    return false;
  }

  return {
    state: () => state,

    async ask(jobId) {
      // The lease already shows that the worker works unprotected. A cached endpoint is good enough here, and
      // `keep` asks ECS.
      if (state === 'WORKS' && (await isLetWork(ports.endpoints.read))) return true;
      try {
        await protection.protect();
        state = undefined;
        return true;
      } catch (error) {
        if (error instanceof ProtectionBlocked) {
          // Concurrent takes share one answer.
          beginning ??= begin().finally(() => {
            beginning = undefined;
          });
          if (await beginning) return true;
        }
        log.error('This worker is not protected from scale-in, so it takes no job.', { error, jobId });
        return false;
      }
    },

    async keep(wanted) {
      await protection.keep(wanted);
      const isIdle = !isBusy();
      if (protection.since() === undefined && !(isIdle && (state === 'WORKS' || !wanted))) return;
      const before = state;
      state = undefined;
      // A scale-in or a release may be waiting for this worker.
      if (before === 'WORKS') await beat();
    },
  };
}
