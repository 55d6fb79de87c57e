/**
 * A job that the worker holds, and the life of the message that named it: until a beat has named the job in the
 * worker's lease the message stays in its queue, hidden, and from then on the lease alone points to the job
 * (docs/adr/0002).
 */

import type { RunningJob } from '../../core/jobs/job.ts';
import { messageOf, queueOf } from '../../core/jobs/message.ts';
import { rescue } from '../../core/jobs/rescue.ts';
import type { Ports, ReceivedMessage } from '../../core/ports.ts';
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
  ports: Pick<Ports, 'chunks' | 'clock' | 'endpoints' | 'jobQueues' | 'jobs' | 'objects'>,
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
