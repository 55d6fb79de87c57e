/** The events that a job streams, as texts that are sent on as they are. */
import { type ChunkWorld, chunkTexts } from '../jobs/chunk-texts.ts';
import { type FindWorld, find } from '../jobs/find.ts';
import type { Job, JobKey } from '../jobs/job.ts';
import { watch } from '../jobs/watch.ts';
import { MINUTE, openAiLimits } from '../limits.ts';
import { JobError } from './error.ts';
import { chunkOutputOf, eventOf, eventsOf, lateError } from './result.ts';

export type EventWorld = ChunkWorld & FindWorld;

const lost = (id: string) =>
  new JobError(500, {
    message: `The worker of job ${id} was lost in the middle of its stream. Send the request again.`,
    type: 'server_error',
    param: null,
    code: 'WORKER_LOST',
  });

/** Reads the chunks of one job, each once and in order. */
class ChunkReader {
  readonly #world: ChunkWorld;
  /** Number of the next chunk, and the attempt of those that were read. */
  #next = 0;
  #attempt: number | undefined;
  /** Parts of an output that was cut as text. */
  #parts = '';

  constructor(world: ChunkWorld) {
    this.#world = world;
  }

  get hasRead(): boolean {
    return this.#next > 0;
  }

  /**
   * The events of the chunks that are there.
   * @throws JobError if the job has begun again after some of its chunks were read
   */
  async *read(job: Job): AsyncGenerator<string, void> {
    if (this.hasRead && (job.attempt !== this.#attempt || job.status === 'IN_QUEUE')) throw lost(job.id);
    for await (const { number, text } of chunkTexts(this.#world, job, this.#next)) {
      const { json, part, parts } = chunkOutputOf(text);
      this.#next = number + 1;
      this.#attempt = job.attempt;
      if (parts === 1) yield eventOf(json);
      else {
        this.#parts += JSON.parse(json) as string;
        if (part < parts) continue;
        yield eventOf(this.#parts);
        this.#parts = '';
      }
    }
  }
}

export interface EventOptions {
  /** Milliseconds of the call. */
  readonly wait?: number;
  /** Aborted when the client has closed its connection: the events end. */
  readonly gone?: AbortSignal | undefined;
}

/** Resolves when the client has closed its connection. */
export function leaving(gone: AbortSignal | undefined): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  if (gone?.aborted) resolve(undefined);
  gone?.addEventListener('abort', () => resolve(undefined), { once: true });
  return promise;
}

/**
 * Yields the events of a job as its worker streams them, and returns when it has COMPLETED or the client has left.
 * @returns whether the job has ended
 * @throws JobError if it has not ended well, or not in time
 */
export async function* eventsAsTheyCome(
  world: EventWorld,
  key: JobKey,
  { wait = openAiLimits.wait, gone }: EventOptions = {},
): AsyncGenerator<string, boolean> {
  const end = world.clock.now() + wait;
  const left = leaving(gone);
  const chunks = new ChunkReader(world);
  let { job } = await find(world, key);
  let watched = watch(world, key, wait, gone);
  for (;;) {
    let isNew = false;
    for await (const events of chunks.read(job)) {
      isNew = true;
      yield events;
    }
    if ('finishedAt' in job) {
      if (job.status !== 'COMPLETED' || !chunks.hasRead) yield await eventsOf(world, job);
      return true;
    }
    if (gone?.aborted) return false;
    if (watched.isOver()) throw lateError(job.id, wait / MINUTE);
    // A job that streams is looked at often for as long as it does.
    if (isNew) watched = watch(world, key, Math.max(0, end - world.clock.now()), gone);
    const next = await Promise.race([watched.next(), left]);
    if (next === undefined) return false;
    job = next;
  }
}
