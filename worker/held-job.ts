/**
 * A job that the worker holds, and the life of the hint that named it: until a beat has named the job in the worker's
 * lease the hint stays in its queue, hidden, and from then on the lease alone points to the job (docs/adr/0002).
 */
import { hintAt, queueOf } from '../core/jobs/hint.ts';
import type { RunningJob } from '../core/jobs/job.ts';
import { rescue } from '../core/jobs/rescue.ts';
import type { ReceivedHint, World } from '../core/world.ts';
import type { AgentLog } from './agent.ts';
import { type ChunkStream, createChunkStream } from './chunk-stream.ts';

export interface HeldJob {
  readonly job: RunningJob;
  readonly stream: ChunkStream;
  /** Deletes the hint if it is still there: the lease names the job, or the job has ended. */
  dropHint(): Promise<void>;
  /** Puts the job back into its queue, with a hint. */
  giveBack(): Promise<void>;
}

export function createHeldJob(
  world: Pick<World, 'chunks' | 'clock' | 'endpoints' | 'hints' | 'jobs' | 'objects'>,
  job: RunningJob,
  received: ReceivedHint,
  log: AgentLog,
): HeldJob {
  let hint: ReceivedHint | undefined = received;

  /** From now on the hint is the caller's: a beat that ends meanwhile must not delete what is being given back. */
  function claim(): ReceivedHint | undefined {
    const claimed = hint;
    hint = undefined;
    return claimed;
  }

  return {
    job,
    stream: createChunkStream(world, job, log),

    async dropHint() {
      const mine = claim();
      // It shows again when its time is over, and whoever receives it then finds that it is of no more use.
      if (mine)
        await world.hints
          .drop(mine)
          .catch((error: unknown) => log.error('A hint could not be deleted.', { error, jobId: job.id }));
    },

    async giveBack() {
      const endpoint = await world.endpoints.read(job.endpoint);
      const generation = endpoint?.generation ?? job.generation;
      // A hint of a generation that is over would be dropped unread.
      const mine = received.generation === generation ? claim() : undefined;
      // Before the job goes back, so that a hint or a lease points to it at any time.
      const queue = endpoint ? queueOf(endpoint, job, generation) : received.queueUrl;
      if (!mine) await world.hints.send(queue, hintAt(job, generation));
      await rescue(world, job, 0, generation);
      if (mine)
        await world.hints
          .hide(mine, 0)
          .catch((error: unknown) =>
            log.error('A hint could not be shown; it will show by itself.', { error, jobId: job.id }),
          );
    },
  };
}
