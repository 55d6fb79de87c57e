/** The dependencies of the agent: its settings, the ports of the service, its log and its process. */
import type { Clock, Pause } from '../../core/clock.ts';
import type { Endpoints } from '../../core/endpoints/store.ts';
import type { Starts } from '../../core/fleet/start.ts';
import type { JobQueues } from '../../core/jobs/queues.ts';
import type { Jobs, Objects, Payloads, Secrets } from '../../core/jobs/store.ts';
import type { Chunks } from '../../core/streams/store.ts';
import type { WorkerMarks, Workers } from '../../core/workers/lease.ts';
import type { Protection } from './protection.ts';

export interface AgentConfig {
  readonly endpoint: string;
  /** Unique among all workers, including past workers: writes are fenced with this id. */
  readonly worker: string;
  readonly normalQueueUrls: readonly string[];
  readonly lowQueueUrls: readonly string[];
  /** Number of the revision that the task runs; absent if the task has none. */
  readonly revision?: number | undefined;
  /** Milliseconds without a job after which the worker loses its protection. */
  readonly idleTimeout: number;
  /**
   * Maximum number of jobs that the user's container may have at the same time. If it is absent, the container
   * decides.
   */
  readonly concurrency?: number | undefined;
  /** Whether the user's container is an HTTP server. The worker is then replaced if the server is unhealthy. */
  readonly isServer?: boolean;
}

export interface AgentPorts {
  readonly chunks: Chunks;
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly jobQueues: JobQueues;
  readonly jobs: Jobs;
  readonly objects: Objects;
  readonly payloads: Payloads;
  readonly replacementMarks: WorkerMarks;
  readonly secrets: Secrets;
  readonly starts: Starts;
  readonly workers: Workers;
}

/**
 * Writes a log line. A line about a job contains the job's id in the field `jobId`, so that readers of the job's
 * log find the line.
 */
export interface AgentLog {
  info(message: string, fields: Record<string, unknown>): void;
  error(message: string, fields: Record<string, unknown>): void;
}

export interface AgentHost {
  readonly log: AgentLog;
  readonly protection: Protection;
  readonly pause?: Pause;
  /**
   * A monotonic clock in milliseconds, whose start does not matter.
   * @default - the service's clock
   */
  readonly elapsed?: () => number;
}
