/**
 * Lets ready workers of the wanted revision take jobs before this worker, once a release replaces it, and determines
 * whether the service still needs this worker. The agent gives up its protection if not.
 *
 * The worker stays able to take jobs, and ECS decides which worker stops: if a new worker dies, this worker takes
 * jobs again. A worker that exited would leave a gap, because only ECS knows how many workers have to remain.
 */
import type { ReceivedMessage } from '../../core/jobs/queues.ts';
import { BEAT } from '../../core/limits.ts';
import { NEWER_FIRST, type Precedence, precedenceOf } from '../../core/workers/succession.ts';
import type { AgentConfig, AgentLog, AgentPorts } from './ports.ts';
import type { RevisionWatcher } from './revision-watcher.ts';

export interface Succession {
  /**
   * Returns which messages this worker takes. Reads nothing unless the watcher has seen that the worker is stale, or that
   * the budget is spent.
   */
  precedence(): Promise<Precedence>;
  /** Returns whether a worker with this precedence takes the message. */
  takes(precedence: Precedence, message: ReceivedMessage): boolean;
  /**
   * Returns whether the service no longer needs this worker. A stale worker reads the endpoint
   * and the leases; another one reads the endpoint only if the agent has not read it within `BEAT`. Returns false after a failure, which it logs.
   */
  isSuperseded(): Promise<boolean>;
}

export interface SuccessionOptions {
  readonly ports: Pick<AgentPorts, 'clock' | 'endpoints' | 'workers'>;
  readonly config: Pick<AgentConfig, 'endpoint' | 'worker'>;
  readonly watcher: RevisionWatcher;
  readonly log: AgentLog;
}

export function createSuccession({ ports, config, watcher, log }: SuccessionOptions): Succession {
  const { clock } = ports;
  const { endpoint: id, worker } = config;

  /** Passes the endpoint, at most `ENDPOINT_CACHE` ms old, to the watcher. */
  async function read() {
    const endpoint = await ports.endpoints.read(id);
    watcher.see(endpoint);
    return endpoint;
  }

  async function precedence(): Promise<Precedence> {
    if (!watcher.isStale() && !watcher.isBudgetSpent()) return 'EQUAL';
    const endpoint = await read();
    if (watcher.isBudgetSpent()) return 'BUDGET_SPENT';
    if (!endpoint || !watcher.isStale()) return 'EQUAL';
    return precedenceOf(endpoint, await ports.workers.listLately(id), worker, clock.now());
  }

  return {
    precedence,

    takes(precedence, { sentAt }) {
      if (precedence === 'SECOND') return clock.now() - sentAt >= NEWER_FIRST;
      return precedence === 'EQUAL';
    },

    async isSuperseded() {
      try {
        if (!watcher.isStale() && clock.now() - watcher.seenAt() >= BEAT) await read();
        return (await precedence()) === 'SUPERSEDED';
      } catch (error) {
        log.error('It is not known whether a release has replaced this worker.', { error });
        return false;
      }
    },
  };
}
