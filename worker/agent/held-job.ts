/**
 * A job that the worker holds, and the life of the message that named it: until a beat has named the job in the
 * worker's lease the message stays in its queue, hidden, and from then on the lease alone points to the job
 * (docs/adr/0002).
 */

import type { Clock } from '../../core/clock.ts';
import type { Endpoints } from '../../core/endpoints/store.ts';
import type { Chunks } from '../../core/jobs/chunk-store.ts';
import type { RunningJob } from '../../core/jobs/job.ts';
import { type JobQueues, messageOf, queueOf, type ReceivedMessage } from '../../core/jobs/queues.ts';
import { rescue } from '../../core/jobs/rescue.ts';
import type { Jobs, Objects } from '../../core/jobs/store.ts';
import type { AgentLog } from './agent.ts';
import { type ChunkStream, createChunkStream } from './chunk-stream.ts';

export interface HeldJob {
  readonly job: RunningJob;
  readonly stream: ChunkStream;
  /** Deletes the message if it is still there: the lease names the job, or the job has ended. */
  dropMessage(): Promise<void>;
  /** Puts the job back into its queue, with a message. */
  giveBack(): Promise<void>;
}

export function createHeldJob(
  ports: {
    readonly chunks: Chunks;
    readonly clock: Clock;
    readonly endpoints: Endpoints;
    readonly jobQueues: JobQueues;
    readonly jobs: Jobs;
    readonly objects: Objects;
  },
  job: RunningJob,
  received: ReceivedMessage,
  log: AgentLog,
): HeldJob {
  let message: ReceivedMessage | undefined = received;

  /** From now on the message is the caller's: a beat that ends meanwhile must not delete what is being given back. */
  function claim(): ReceivedMessage | undefined {
    const claimed = message;
    message = undefined;
    return claimed;
  }

  return {
    job,
    stream: createChunkStream(ports, job, log),

    async dropMessage() {
      const mine = claim();
      // It shows again when its time is over, and whoever receives it then finds that it is of no more use.
      if (mine)
        await ports.jobQueues
          .drop(mine)
          .catch((error: unknown) => log.error('A message could not be deleted.', { error, jobId: job.id }));
    },

    async giveBack() {
      const endpoint = await ports.endpoints.read(job.endpoint);
      const generation = endpoint?.generation ?? job.generation;
      // A message of a generation that is over would be dropped unread.
      const mine = received.generation === generation ? claim() : undefined;
      // Before the job goes back, so that a message or a lease points to it at any time.
      const queue = endpoint ? queueOf(endpoint, job, generation) : received.queueUrl;
      if (!mine) await ports.jobQueues.send(queue, messageOf(job, generation));
      await rescue(ports, job, 0, generation);
      if (mine)
        await ports.jobQueues
          .hide(mine, 0)
          .catch((error: unknown) =>
            log.error('A message could not be shown; it will show by itself.', { error, jobId: job.id }),
          );
    },
  };
}
