/** Reads the events that a job streams, as unchanged strings. */

import type { AnswerMemory } from '../http/answer-memory.ts';
import { find } from '../jobs/find.ts';
import type { JobKey } from '../jobs/job.ts';
import { MINUTE, openAiLimits } from '../limits.ts';
import { type FollowPorts, followChunks } from '../streams/follow.ts';
import { JobError } from './error.ts';
import { PartJoiner } from './parts.ts';
import { assertAnswer, eventsOf, lateError } from './result.ts';

/**
 * `answerMemory` counts what a call collects.
 * @default - the process has one call at a time and counts nothing
 */
export type EventPorts = FollowPorts & { readonly answerMemory?: AnswerMemory };

const lost = (id: string) =>
  new JobError(500, {
    message: `The worker of job ${id} was lost during its stream. Send the request again.`,
    type: 'server_error',
    param: null,
    code: 'WORKER_LOST',
  });

export interface EventOptions {
  /** Maximum duration of the call, in milliseconds. */
  readonly wait?: number;
  /** Aborted when the client closes its connection, which ends the events. */
  readonly gone?: AbortSignal | undefined;
}

/** Resolves when the client closes its connection. */
export function leaving(gone: AbortSignal | undefined): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  if (gone?.aborted) resolve(undefined);
  gone?.addEventListener('abort', () => resolve(undefined), { once: true });
  return promise;
}

/**
 * Yields the events of a job as its worker streams them, and returns when the job has COMPLETED or the client has
 * disconnected.
 * @returns false if the client has disconnected before the end of the job
 * @throws JobError if the job has not succeeded, or has not ended in time
 */
export async function* eventsAsTheyCome(
  ports: EventPorts,
  key: JobKey,
  { wait = openAiLimits.wait, gone }: EventOptions = {},
): AsyncGenerator<string, boolean> {
  const { job: found } = await find(ports, key);
  const joiner = new PartJoiner(found.id, ports.answerMemory);
  const left = leaving(gone);
  const portions = followChunks(ports, found, { wait, gone });
  let job = found;
  /** Number of the attempt whose chunks were read. */
  let attempt: number | undefined;
  for (;;) {
    const next = await Promise.race([portions.next(), left]);
    if (next === undefined) return false;
    if (next.done) break;
    ({ job } = next.value);
    if (attempt !== undefined && (job.attempt !== attempt || job.status === 'IN_QUEUE')) throw lost(job.id);
    for await (const chunk of next.value.chunks) {
      attempt = job.attempt;
      const texts = await joiner.textsOf(chunk);
      if (!chunk.output.startsWith('"')) assertAnswer(Buffer.from(chunk.output));
      yield* texts;
    }
  }
  if ('finishedAt' in job) {
    if (job.status !== 'COMPLETED' || attempt === undefined) yield* eventsOf(ports, job);
    joiner.assertComplete();
    return true;
  }
  if (gone?.aborted) return false;
  throw lateError(job.id, wait / MINUTE);
}
