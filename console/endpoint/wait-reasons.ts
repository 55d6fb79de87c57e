/** Why jobs wait and what helps, by reason: docs/waiting.md in a sentence each. */
import type { Health } from '../api/management-types.ts';

export type WaitReason = NonNullable<Health['waitReason']>;

interface Explanation {
  readonly means: string;
  readonly helps: string;
}

export const waitReasons: Readonly<Record<WaitReason, Explanation>> = {
  LOW_PRIORITY: {
    means: 'The job is of low priority, and may start no worker of its own.',
    helps: 'Wait for a quieter time, submit without policy.lowPriority, or set minWorkers.',
  },
  NO_CAPACITY: {
    means: 'The provider has no capacity for a worker.',
    helps: 'Wait: ECS keeps trying. Other sizes or Availability Zones may have capacity.',
  },
  QUOTA: {
    means: 'A quota of the account allows no more workers.',
    helps: 'Raise the quota in Service Quotas, or lower maxWorkers of other endpoints.',
  },
  IMAGE_UNAVAILABLE: {
    means: 'An image of the worker cannot be pulled.',
    helps: "Compare the image's name and the registry's permissions with the message, and deploy.",
  },
  CANNOT_START: {
    means: 'A worker cannot be started, for example because a secret or a file system is missing.',
    helps: 'Correct what the message names, and deploy.',
  },
  WORKER_EXITS: {
    means: 'Workers end before their container has asked for a job.',
    helps: "Read the log of the worker's container: the message has its exit code.",
  },
  WORKER_UNHEALTHY: {
    means: 'Workers fail their health checks, their HTTP server is not up in time, or all jobs of one failed at once.',
    helps: 'Read the logs of both containers. If the server is only slow, raise http.startTimeout.',
  },
  WORKER_STARTING: {
    means: 'A worker has no job yet: its container starts, or is about to take one.',
    helps: "Wait a minute or two. If it lasts, read the worker's logs: loading a model may take long or fail.",
  },
  WAITING_FOR_CAPACITY: {
    means: 'A worker was requested more than 5 minutes ago and has not started. The provider gives no reason.',
    helps: "Look at the events of the endpoint's ECS service, and at the Auto Scaling group of a pool.",
  },
  SCALING_UP: {
    means: 'A worker was requested in the last 5 minutes, or starts now.',
    helps: 'Wait. A smaller image starts sooner, and minWorkers keeps workers ready.',
  },
  NO_WORKER: {
    means: 'No worker exists, and none has been requested yet.',
    helps: 'Wait a second or two. If it lasts, look at the logs of the ledger.',
  },
  WORKERS_BUSY: {
    means: 'Every worker has a job.',
    helps: 'Wait, or raise maxWorkers if that many workers run already.',
  },
};

/** Reasons that the provider or the workers have given: they need attention, also if no job waits yet. */
const conditions: ReadonlySet<WaitReason> = new Set([
  'NO_CAPACITY',
  'QUOTA',
  'IMAGE_UNAVAILABLE',
  'CANNOT_START',
  'WORKER_EXITS',
  'WORKER_UNHEALTHY',
]);

export const isCondition = (reason: WaitReason | undefined): reason is WaitReason =>
  reason !== undefined && conditions.has(reason);
