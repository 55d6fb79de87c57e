import { append } from '../core/jobs/append.ts';
import type { Chunk } from '../core/jobs/chunk.ts';
import type { RunningJob } from '../core/jobs/job.ts';
import type { World } from '../core/world.ts';

/** The stream of a job that the worker holds: chunks are stored one after the other, in the order in which they came. */
export interface ChunkStream {
  append(chunk: Chunk): Promise<void>;
  /** How many chunks there are, once all that have come are stored or have failed. */
  count(): Promise<number>;
}

export function createChunkStream(world: Pick<World, 'chunks' | 'clock' | 'objects'>, job: RunningJob): ChunkStream {
  let stored = 0;
  let last: Promise<void> = Promise.resolve();
  return {
    append(chunk) {
      const appended = last.then(async () => {
        stored = await append(world, job, stored, chunk);
      });
      last = appended.catch(() => undefined);
      return appended;
    },

    async count() {
      await last;
      return stored;
    },
  };
}
