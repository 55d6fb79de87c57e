import { deployed } from '../endpoints/store.ts';
import { cancel } from '../jobs/cancel.ts';
import type { JobKey } from '../jobs/job.ts';
import { MINUTE, openAiLimits } from '../limits.ts';
import { RouteNotFound } from '../requests/errors.ts';
import { type Accepted, type PlainSubmitPorts, submit } from '../submission/submit.ts';
import { openWaitSlot, type WaitSlotPorts } from '../waiting-calls/slots.ts';
import { waitFor } from '../waiting-calls/wait.ts';
import { JobError } from './error.ts';
import { LAST_EVENT } from './event-text.ts';
import { type EventPorts, eventsAsTheyCome, leaving } from './events.ts';
import { isServerMethod, type OpenAiHttp, openAiInput } from './input.ts';
import { answerOf, lateError, type OpenAiAnswer } from './result.ts';

export type OpenAiPorts = EventPorts & PlainSubmitPorts & WaitSlotPorts;

export interface OpenAiRequest extends OpenAiHttp {
  readonly endpoint: string;
  /** Owner of the client key. */
  readonly owner: string;
  /** Id of the API key that sends the request; absent for a user. */
  readonly keyId?: string | undefined;
  /** Value of the `Idempotency-Key` header, unparsed. */
  readonly idempotencyKey?: string | undefined;
  /** Value of the `traceparent` header, unparsed. */
  readonly traceparent?: string | undefined;
  /** Aborted when the client closes its connection. */
  readonly gone?: AbortSignal | undefined;
}

export interface OpenAiHooks {
  /** Called with the job's id before the job is stored. From then on, a job with this id may exist. */
  readonly mayBeStored: (id: string) => void;
  /**
   * Called when the request is valid, before anything is stored. The argument is true if the client has asked for a
   * stream.
   */
  readonly onParsed: (isStream: boolean) => void;
  /** Called when the request body is no longer needed. */
  readonly onSubmitted: () => void;
}

/** An answer, or the texts of events. The caller reads all texts or calls `return`. */
export type OpenAiReply = OpenAiAnswer | { readonly events: AsyncIterableIterator<string> };

const NO_BODY = Buffer.alloc(0);

/** Creates the error for a client that has disconnected, which never receives it. */
const clientLeft = () =>
  new JobError(499, {
    message: 'The client has disconnected.',
    type: 'invalid_request_error',
    param: null,
    code: null,
  });

/**
 * Cancels the job of a client that has disconnected, unless an idempotency key lets the client repeat the call.
 */
async function abandon(ports: OpenAiPorts, job: JobKey, { idempotencyKey }: OpenAiRequest): Promise<void> {
  if (idempotencyKey === undefined) await cancel(ports, job);
}

async function wholeAnswer(ports: OpenAiPorts, key: Accepted, request: OpenAiRequest, hold: () => Promise<void>) {
  const { gone } = request;
  const waiting = waitFor(ports, key, openAiLimits.wait, hold, { gone, isNew: key.isNew });
  const job = await Promise.race([waiting, leaving(gone)]);
  if (job && 'finishedAt' in job) return answerOf(ports, job);
  if (!gone?.aborted) throw lateError(key.id, openAiLimits.wait / MINUTE);
  await abandon(ports, key, request);
  throw clientLeft();
}

/**
 * Yields the events, then releases the slot. Abandons the job if the client disconnects, the worker is lost or AWS
 * fails to return the events, because the client cannot continue the answer.
 */
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
    // Do not abandon the job after its end, after the end of the wait, or after an error that its worker has streamed,
    // because such a worker ends the job itself. A job of a lost worker might run again.
    isAbandoned =
      request.gone?.aborted === true || !(error instanceof JobError) || error.problem.code === 'WORKER_LOST';
    throw error;
  } finally {
    void events.return(false).catch(() => undefined);
    await release();
    if (isAbandoned && !isAnswered) await abandon(ports, key, request);
  }
}

/** Returns an iterator over the first item, which has already been read, and the rest. */
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
 * Input: endpoint, owner, idempotency key, and the request below `/openai`. Output: the answer of the worker, or
 * its events if the client has asked for a stream.
 *  1. Refuse an unknown endpoint, a request that is invalid or too large, any job while the queue is full, and a call
 *     without a free slot, before anything is stored.
 *  2. Accept the job, or find the job of the idempotency key.
 *  3. Wait for the job's end, or for its first event. If the client disconnects, or the worker is lost during a
 *     stream, cancel the job, unless the request has an idempotency key.
 * @throws TooManyRequests if too many calls wait
 * @throws RouteNotFound for PUT, PATCH and DELETE, unless the worker is an HTTP server
 * @throws JobError if the job does not succeed, or does not end in time; for a stream, only before its first event
 */
export function answerCall(ports: OpenAiPorts, request: OpenAiRequest, hooks: OpenAiHooks): Promise<OpenAiReply> {
  // An async function retains its arguments in memory. This function returns immediately, and the copy later drops
  // its body.
  return answerCopy(ports, { ...request }, hooks);
}

/**
 * Checks that the worker can answer the method.
 * @throws RouteNotFound if the worker would not know the method, because it is not an HTTP server
 */
async function assertMethod(ports: OpenAiPorts, { endpoint, method }: OpenAiRequest): Promise<void> {
  if (!isServerMethod(method)) return;
  const { protocol } = await deployed(ports, endpoint);
  if (protocol !== 'http') throw new RouteNotFound(method);
}

async function answerCopy(
  ports: OpenAiPorts,
  request: { -readonly [Name in keyof OpenAiRequest]: OpenAiRequest[Name] },
  { mayBeStored, onParsed, onSubmitted }: OpenAiHooks,
): Promise<OpenAiReply> {
  const { endpoint } = request;
  const { hold, release } = openWaitSlot(ports, { endpoint, operation: 'openai' });
  let isStream = false;
  let isReleasedLater = false;
  try {
    const parse = async () => {
      await assertMethod(ports, request);
      const input = await openAiInput(request);
      ({ isStream } = input);
      onParsed(isStream);
      return { submission: { input: input.text, policy: {} }, identity: input.text };
    };
    const key = await submit(ports, 'openai', request, parse, { mayBeStored, admit: hold });
    // Release the body, because a waiting call must not hold it in memory.
    request.body = NO_BODY;
    onSubmitted();
    if (!isStream) return await wholeAnswer(ports, key, request, hold);

    isReleasedLater = true;
    const events = heldEvents(ports, key, request, release);
    // End the events even if the client disconnects before it reads them.
    request.gone?.addEventListener('abort', () => void events.return().catch(() => undefined), { once: true });
    return { events: withFirst(await events.next(), events) };
  } finally {
    if (!isReleasedLater) await release();
  }
}
