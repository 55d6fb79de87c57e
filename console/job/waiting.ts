/** Why jobs wait, and what helps: docs/waiting.md in a sentence each. */
import type { InQueueJob } from '../api/job-types.ts';

export type WaitReason = InQueueJob['waitReason'];

interface Explanation {
  readonly says: string;
  readonly helps: string;
}

export const waitReasons: Readonly<Record<WaitReason, Explanation>> = {
  LOW_PRIORITY: {
    says: 'The job has low priority, and no worker is free for it.',
    helps: 'Wait for a quieter time, submit it without low priority, or set minWorkers.',
  },
  NO_CAPACITY: {
    says: 'The provider has no capacity for a worker.',
    helps: 'Wait: ECS tries again. Other sizes or Availability Zones may have capacity.',
  },
  QUOTA: {
    says: 'A quota of the account allows no more workers.',
    helps: 'Raise the quota in Service Quotas, or lower maxWorkers of other endpoints.',
  },
  IMAGE_UNAVAILABLE: {
    says: 'An image of the worker cannot be pulled.',
    helps: 'Check the name of the image and the permissions of its registry, and deploy.',
  },
  CANNOT_START: {
    says: 'A worker cannot be started.',
    helps: 'Correct what the provider says, such as a missing secret or file system, and deploy.',
  },
  WORKER_EXITS: {
    says: 'Workers end before their container has asked for a job.',
    helps: "Read the log of the worker's container; the exit code is in the detail.",
  },
  WORKER_UNHEALTHY: {
    says: 'Workers fail their health checks, or all jobs of one failed at once.',
    helps: 'Read the logs of both containers. If the server is only slow, raise http.startTimeout.',
  },
  WORKER_STARTING: {
    says: 'A worker is starting, or is about to take a job.',
    helps: "Wait a minute or two. If it lasts, read the worker's logs: loading a model may take long or fail.",
  },
  WAITING_FOR_CAPACITY: {
    says: 'A worker was requested more than 5 minutes ago and has not started. The provider has given no reason.',
    helps: "Look at the events of the endpoint's ECS service, and at the Auto Scaling group of a pool.",
  },
  SCALING_UP: {
    says: 'A worker was requested and is on its way.',
    helps: 'Wait. A smaller image starts sooner; minWorkers keeps workers ready.',
  },
  NO_WORKER: {
    says: 'No worker exists, and none has been requested yet.',
    helps: 'Wait a second or two. If it lasts, look at the logs of the ledger.',
  },
  WORKERS_BUSY: {
    says: 'Every worker has a job.',
    helps: 'Wait, or raise maxWorkers.',
  },
};
