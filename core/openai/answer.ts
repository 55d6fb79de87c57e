import { cancel } from '../jobs/cancel.ts';
import type { FindPorts } from '../jobs/find.ts';
import type { JobKey } from '../jobs/job.ts';
import { MINUTE, openAiLimits } from '../limits.ts';
import type { ChunkPorts } from '../streams/read.ts';
import { type PlainSubmitPorts, submitAs } from '../submission/submit.ts';
import { openWaitSlot, type WaitSlotPorts } from '../waits/slots.ts';
import { waitFor } from '../waits/wait.ts';
import { JobError } from './error.ts';
import { eventsAsTheyCome, leaving } from './events.ts';
import { type OpenAiHttp, openAiInput } from './input.ts';
import { answerOf, LAST_EVENT, lateError, type OpenAiAnswer } from './result.ts';

export type OpenAiPorts = ChunkPorts & FindPorts & PlainSubmitPorts & WaitSlotPorts;

export interface OpenAiRequest extends OpenAiHttp {
  readonly endpoint: string;
  /** Owner of the client key. */
  readonly owner: string;
  /** The header, as it came. */
  readonly idempotencyKey?: string | undefined;
  /** Aborted when the client has closed its connection. */
  readonly gone?: AbortSignal | undefined;
}

export interface OpenAiHooks {
  /** Gets the job's id before the job is stored. */
  readonly mayBeStored: (id: string) => void;
  /** Says whether the client has asked for a stream, before anything is stored. */
  readonly onRead: (isStream: boolean) => void;
  /** Is called when the body is needed no more. */
  readonly onSubmitted: () => void;
}

/** An answer, or the texts of events. The caller reads the texts to their end, or calls `return`. */
export type OpenAiReply = OpenAiAnswer | { readonly events: AsyncIterableIterator<string> };

const NO_BODY = Buffer.alloc(0);

/** An error for a client that has left. */
const clientLeft = () =>
  new JobError(499, { message: 'The client has left.', type: 'invalid_request_error', param: null, code: null });

/** Cancels the job of a client that has left, unless it may come back: it has an idempotency key then. */
async function abandon(ports: OpenAiPorts, job: JobKey, { idempotencyKey }: OpenAiRequest): Promise<void> {
  if (idempotencyKey === undefined) await cancel(ports, job);
}

async function wholeAnswer(ports: OpenAiPorts, key: JobKey, request: OpenAiRequest, hold: () => Promise<void>) {
  const { gone } = request;
  const job = await Promise.race([waitFor(ports, key, openAiLimits.wait, hold, gone), leaving(gone)]);
  if (job && 'finishedAt' in job) return answerOf(ports, job);
  if (!gone?.aborted) throw lateError(key.id, openAiLimits.wait / MINUTE);
  await abandon(ports, key, request);
  throw clientLeft();
}

/** The events, after which the slot is free. The job is cancelled if it has not ended when the client leaves. */
async function* heldEvents(
  ports: OpenAiPorts,
  key: JobKey,
  request: OpenAiRequest,
  release: () => Promise<void>,
): AsyncGenerator<string, void> {
  const events = eventsAsTheyCome(ports, key, { gone: request.gone });
  let isAbandoned = true;
  let isAnswered = false;
  try {
    let next = await events.next();
    for (; !next.done; next = await events.next()) {
      isAnswered ||= LAST_EVENT.test(next.value);
      yield next.value;
    }
    isAbandoned = !next.value;
  } catch (error) {
    // The rest of the job has no reader, unless the error is its end, or says that it has not ended in time.
    isAbandoned =
      request.gone?.aborted === true || !(error instanceof JobError) || error.problem.code === 'WORKER_LOST';
    throw error;
  } finally {
    void events.return(false).catch(() => undefined);
    await release();
    if (isAbandoned && !isAnswered) await abandon(ports, key, request);
  }
}

/** The iterator with what it has given already before the rest. */
function withFirst<Item>(first: IteratorResult<Item, void>, rest: AsyncGenerator<Item, void>) {
  let isRead = false;
  const iterator: AsyncIterableIterator<Item, void> = {
    async next() {
      if (isRead) return rest.next();
      isRead = true;
      return first;
    },
    return: () => rest.return(),
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}

/**
 * Runs a call of an OpenAI client as a job.
 *
 * Input: endpoint, owner, idempotency key, and the request below `/openai`. Output: the answer of the worker, or its events
 * as they come, if the client has asked for a stream.
 *  1. Refuse what `/runsync` would refuse, and a call for which no slot is free: nothing is stored before.
 *  2. Accept the job, or find the one that the idempotency key stands for.
 *  3. Wait for its end, or for its first event. If the client closes its connection, cancel the job, unless the request has
 *     an idempotency key.
 * @throws TooManyRequests if too many calls wait
 * @throws JobError if the job has not ended well, or not in time; of a stream, before its first event
 */
export function answerCall(ports: OpenAiPorts, request: OpenAiRequest, hooks: OpenAiHooks): Promise<OpenAiReply> {
  // A function that waits keeps its arguments in memory: this one ends at once, and the copy loses its body later.
  return answerCopy(ports, { ...request }, hooks);
}

async function answerCopy(
  ports: OpenAiPorts,
  request: { -readonly [Name in keyof OpenAiRequest]: OpenAiRequest[Name] },
  { mayBeStored, onRead, onSubmitted }: OpenAiHooks,
): Promise<OpenAiReply> {
  const { endpoint } = request;
  const { hold, release } = openWaitSlot(ports, { endpoint, operation: 'openai' });
  let isStream = false;
  let isReleasedLater = false;
  try {
    const read = async () => {
      const input = await openAiInput(request);
      ({ isStream } = input);
      onRead(isStream);
      return { submission: { input: input.text, policy: {} }, claimed: input.text };
    };
    const key = await submitAs(ports, 'openai', request, read, { mayBeStored, admit: hold });
    // A call that waits holds no body in memory.
    request.body = NO_BODY;
    onSubmitted();
    if (!isStream) return await wholeAnswer(ports, key, request, hold);

    isReleasedLater = true;
    const events = heldEvents(ports, key, request, release);
    // A client that leaves before it reads the events ends them, too.
    request.gone?.addEventListener('abort', () => void events.return().catch(() => undefined), { once: true });
    return { events: withFirst(await events.next(), events) };
  } finally {
    if (!isReleasedLater) await release();
  }
}
