/** Briefly explains each wait reason and what helps. docs/guides/waiting.md has the details. */
import type { Health } from '../api/management-types.ts';

export type WaitReason = NonNullable<Health['waitReason']>;

interface Explanation {
  readonly means: string;
  readonly helps: string;
}

export const waitReasons: Readonly<Record<WaitReason, Explanation>> = {
  BUDGET_SPENT: {
    means: 'The endpoint has spent its budget of today (UTC), so no worker starts or takes a job.',
    helps: 'Wait for the next day, or raise maxDollarsPerDay in the file of the endpoint and deploy.',
  },
  LOW_PRIORITY: {
    means: 'The job has low priority, so no worker is started for it.',
    helps: 'Wait for a quieter time, submit without policy.lowPriority, or set minWorkers.',
  },
  NO_CAPACITY: {
    means: 'The provider has no capacity for a worker.',
    helps: 'Wait: ECS keeps trying. Other sizes or Availability Zones might have capacity.',
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
    means: 'Workers stop before their container has asked for a job.',
    helps: "Read the log of the worker's container: the message has its exit code.",
  },
  WORKER_UNHEALTHY: {
    means:
      'Workers fail their health checks, their HTTP server starts too late, or all jobs of a worker fail immediately.',
    helps: 'Read the logs of both containers. If the server is only slow, raise http.startTimeout.',
  },
  WORKER_STARTING: {
    means: 'A worker has no job yet: its container is starting or about to take a job.',
    helps: "Wait a minute or two. If jobs still wait, read the worker's logs: loading a model can be slow or fail.",
  },
  WAITING_FOR_CAPACITY: {
    means: 'A worker was requested more than 5 minutes ago and has not started. The provider gives no reason.',
    helps: "Read the events of the endpoint's ECS service and, for a pool, of its Auto Scaling group.",
  },
  SCALING_UP: {
    means: 'A worker was requested in the last 5 minutes, or is starting.',
    helps: 'Wait. A smaller image starts sooner, and minWorkers keeps workers ready.',
  },
  NO_WORKER: {
    means: 'No worker exists, and none has been requested yet.',
    helps: 'Wait a second or two. If jobs still wait, read the logs of the ledger.',
  },
  WORKERS_BUSY: {
    means: 'Every worker has a job.',
    helps: 'Wait, or raise maxWorkers if that many workers run already.',
  },
};

/** Reasons from the provider or the workers. They need attention even if no job waits yet. */
const conditions = [
  'BUDGET_SPENT',
  'NO_CAPACITY',
  'QUOTA',
  'IMAGE_UNAVAILABLE',
  'CANNOT_START',
  'WORKER_EXITS',
  'WORKER_UNHEALTHY',
] as const satisfies readonly WaitReason[];

type Condition = (typeof conditions)[number];

export const isCondition = (reason: WaitReason | undefined): reason is Condition =>
  conditions.some((condition) => condition === reason);
