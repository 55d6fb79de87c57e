/** What each reason why jobs wait means and what helps, in the words of docs/waiting.md. */
import type { Health } from '../api/management-types.ts';

export type WaitReason = NonNullable<Health['waitReason']>;

interface Explanation {
  /** A few words, for a table. */
  readonly title: string;
  readonly means: string;
  readonly helps: string;
}

export const waitReasons: Readonly<Record<WaitReason, Explanation>> = {
  NO_CAPACITY: {
    title: 'No capacity',
    means: 'The provider has no capacity for a worker.',
    helps: 'Wait: ECS keeps trying. Other sizes or Availability Zones may have capacity.',
  },
  QUOTA: {
    title: 'Quota reached',
    means: 'A quota of the account allows no more workers.',
    helps: 'Have the quota raised that the message names (Service Quotas), or lower maxWorkers of other endpoints.',
  },
  IMAGE_UNAVAILABLE: {
    title: 'Image unavailable',
    means: 'An image of the worker cannot be pulled.',
    helps: "Compare the image's name and the registry's permissions with the message, and deploy.",
  },
  CANNOT_START: {
    title: 'Cannot start',
    means: 'A worker cannot be started, for example because a secret or a file system is missing.',
    helps: 'Correct what the message names, and deploy.',
  },
  WORKER_EXITS: {
    title: 'Workers exit',
    means: 'Workers end before their container has asked for a job.',
    helps: "Look at the log of the worker's container: the message has its exit code.",
  },
  WORKER_UNHEALTHY: {
    title: 'Workers unhealthy',
    means: 'Workers fail their health checks, their HTTP server is not up in time, or all jobs of one failed at once.',
    helps: 'Look at the logs of both containers. Raise http.startTimeout if the server is only slow.',
  },
  LOW_PRIORITY: {
    title: 'Low priority',
    means: 'The jobs are of low priority, and may start no worker of their own.',
    helps: 'Wait for a quieter time, submit without policy.lowPriority, or set minWorkers.',
  },
  WORKER_STARTING: {
    title: 'Worker starting',
    means: 'A worker has no job yet: its container starts, or is about to take one.',
    helps: "Wait. If it lasts, look at the worker's logs: loading a model may take long or fail.",
  },
  WAITING_FOR_CAPACITY: {
    title: 'Waiting for capacity',
    means: 'A worker was asked for more than 5 minutes ago and has not come. The provider gives no reason.',
    helps:
      "Look at the events of the endpoint's ECS service, and of a pool at the activities of its Auto Scaling group.",
  },
  SCALING_UP: {
    title: 'Scaling up',
    means: 'A worker was asked for in the last 5 minutes, or starts now.',
    helps: 'Wait. A smaller image starts sooner, and minWorkers keeps workers ready.',
  },
  NO_WORKER: {
    title: 'No worker',
    means: 'There is no worker, and none has been asked for yet.',
    helps: 'Wait a second or two. If it lasts, look at the logs of the function that follows the jobs table.',
  },
  WORKERS_BUSY: {
    title: 'Workers busy',
    means: 'Every worker has a job.',
    helps: 'Wait, or raise maxWorkers if as many workers run already.',
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
