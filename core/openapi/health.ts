/** What both interfaces say of how an endpoint does. */
import { waitFields } from './job-record.ts';
import { count, record, type Schema, text } from './schema.ts';

export const healthSchema: Schema = record(
  {
    jobs: record({
      inQueue: count('Jobs that wait.'),
      inProgress: count('Jobs that run.'),
      completed: count('Since the endpoint was deployed.'),
      failed: count('Since the endpoint was deployed, those that timed out among them.'),
      retried: count(
        'How often jobs came back from lost workers, or were retried by clients, since the endpoint was deployed.',
      ),
    }),
    workers: record({
      idle: count('Without a job.'),
      initializing: count('Asked for, and not ready yet.'),
      ready: count('Idle or running.'),
      running: count('With a job: as many as `jobs.inProgress` needs.'),
      throttled: count('They wait for capacity, a quota or protection by ECS, or were asked for long ago.'),
      unhealthy: count('They fail to start, or have not been heard of for too long.'),
    }),
    concurrency: {
      ...record({
        jobs: count('Jobs that a worker runs at once: what the workers ask for, and what the scaler counts on.'),
        detail: text('A sentence that says which setting makes it explicit.'),
      }),
      description: 'While the file of the endpoint has no `concurrency`, and a worker has asked for jobs.',
    },
    ...waitFields,
  },
  ['concurrency', ...Object.keys(waitFields)],
);
