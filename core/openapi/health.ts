/** Schema of an endpoint's health, which the job and the management interface return. */
import { waitFields } from './job-record.ts';
import { count, exactObject, type Schema, text } from './schema.ts';

export const healthSchema: Schema = exactObject(
  {
    jobs: {
      ...exactObject({
        inQueue: count('Waiting jobs.'),
        inProgress: count('Running jobs.'),
        completed: count('Completed jobs since the endpoint was deployed.'),
        failed: count(
          'Number of times that a job failed or timed out since the endpoint was deployed; not reduced by retries.',
        ),
        retried: count(
          'Requeues because workers were lost or gave up jobs, and retries by clients, since the endpoint was deployed.',
        ),
      }),
      description: 'Numbers of jobs, one to two seconds ago.',
    },
    workers: {
      ...exactObject({
        idle: count('Ready workers without a job.'),
        initializing: count('Requested workers that are not ready yet.'),
        ready: count('Idle and running workers.'),
        running: count('Workers with a job.'),
        throttled: count(
          'Workers that wait for capacity, a quota or ECS task protection, or were requested over 5 minutes ago and are not placed.',
        ),
        unhealthy: count(
          'Workers that fail to start, have not renewed their lease, or no longer ask for jobs although jobs wait.',
        ),
      }),
      description: 'Numbers of workers.',
    },
    concurrency: {
      ...exactObject({
        jobs: count(
          'Highest number of concurrent jobs that a worker of the current revision has asked for; until one has asked, the number of the previous revision with the same template. The number of workers is calculated from it.',
        ),
        detail: text('Message that names the setting for this number.'),
      }),
      description: 'Present if the endpoint file has no `concurrency`, and a worker has asked for jobs.',
    },
    ...waitFields,
  },
  ['concurrency', ...Object.keys(waitFields)],
);
