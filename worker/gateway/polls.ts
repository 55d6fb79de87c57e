/**
 * The long polls of the user's container: `job-take` and `job-take-batch` for jobs, and `job-stop` for the jobs
 * that it must stop. Each poll is answered as soon as there is something to send, or with 204 after `HOLD` ms.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { endsWithin } from '../../core/clock.ts';
import { jsonText } from '../../core/json/json.ts';
import { SECOND } from '../../core/limits.ts';
import { AT_ONCE, STOPS } from '../../core/workers/protocol.ts';
import type { Agent } from '../agent/agent.ts';
import type { Offer } from '../agent/job-loop.ts';
import type { Caller } from '../agent/unreported.ts';
import type { ChunkCalls } from './chunk-calls.ts';

/**
 * How long a poll waits. It is shorter than the timeout of clients, and than the time in which a container must
 * stop.
 */
const HOLD = 20 * SECOND;

/** Maximum number of jobs in one answer. It is larger than the number of slots of any container. */
const MAX_BATCH = 100;

/** Why a poll ends. Without a reason, each `abort` creates an exception and reads its stack. */
const GONE = 'The caller has disconnected.';
const OVER = 'The poll is over.';

/** Aborts when the poll has lasted `HOLD`, or when its caller disconnects before it has its answer. */
function endOf(response: ServerResponse): AbortSignal {
  const end = new AbortController();
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  response.once('close', () => {
    resolve();
    if (!response.writableFinished) end.abort(GONE);
  });
  void endsWithin(HOLD, closed).then((isClosed) => isClosed || end.abort(OVER));
  return end.signal;
}

function sendJson(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(text);
}

const jobText = ({ id, attempt, input, s3Config, traceparent }: Offer): string =>
  jsonText({
    id: JSON.stringify(id),
    attempt: String(attempt),
    input,
    s3Config,
    ...(traceparent !== undefined && { traceparent: JSON.stringify(traceparent) }),
  });

/** A call for jobs. */
export interface Poll {
  readonly agent: Agent;
  readonly taker: string;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Versions of RunPod's SDK that count a job as begun in the same step that receives it. */
const COUNTS_ON_ARRIVAL = /^RunPod-Python-SDK\/(?:0|1\.[0-6])\./;

function callerOf({ headers, socket }: IncomingMessage): Caller {
  const lastJob = headers['x-request-id'];
  return {
    connection: socket,
    lastJob: typeof lastJob === 'string' ? lastJob : undefined,
    countsOnArrival: COUNTS_ON_ARRIVAL.test(headers['user-agent'] ?? ''),
  };
}

/**
 * Takes jobs for a call of the worker. Requeues them if the caller has disconnected in the meantime.
 * @returns the jobs to answer with, or none if the caller has disconnected or no job arrived in time
 */
async function offersFor(
  { agent, taker, query, request, response }: Poll,
  take: (until: AbortSignal) => Promise<readonly Offer[]>,
): Promise<readonly Offer[]> {
  const waits = query.get('wait') !== '0';
  const until = waits ? endOf(response) : AbortSignal.abort(OVER);
  // A call that does not wait reports that the process of the handler has died.
  if (query.get('job_in_progress') === '0')
    await (waits ? agent.hasNone(taker, callerOf(request), until) : agent.requeueAll(taker));
  const offers = await take(until);
  if (response.closed) {
    await Promise.all(offers.map(({ id }) => agent.requeue(id)));
    return [];
  }
  // An agent that drains would answer immediately, and the worker would call again immediately, so the answer
  // waits.
  if (offers.length === 0 && !until.aborted) await once(until, 'abort');
  agent.sent(
    offers.map(({ id }) => id),
    request.socket,
  );
  return offers;
}

export async function takeJob(poll: Poll): Promise<void> {
  const { agent, taker, response } = poll;
  const [offer] = await offersFor(poll, async (until) => {
    const next = await agent.next(until, taker);
    return next ? [next] : [];
  });
  if (offer) sendJson(response, jobText(offer));
  else response.writeHead(204).end();
}

export async function takeJobs(poll: Poll): Promise<void> {
  const { agent, taker, query, response } = poll;
  const asked = Number(query.get('batch_size') ?? 1);
  const max = Number.isInteger(asked) ? Math.min(Math.max(asked, 1), MAX_BATCH) : 1;
  const offers = await offersFor(poll, (until) => agent.nextBatch(max, until, taker));
  if (offers.length > 0) sendJson(response, `[${offers.map(jobText).join(',')}]`);
  else response.writeHead(204).end();
}

/**
 * Answers with the jobs to stop. RunPod's SDK never confirms that it has stopped a job, but cancels the jobs of
 * one answer before it calls again. If it receives a job's id before it has begun the job, it still runs the job.
 * So the id is sent twice.
 */
export async function stopJobs(
  agent: Agent,
  chunkCalls: ChunkCalls,
  query: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  if (query.get(STOPS) === AT_ONCE) await agent.confirmStopped();
  const jobsToStop = await agent.stops(endOf(response));
  if (jobsToStop.length === 0) return void response.writeHead(204).end();
  await chunkCalls.between(jobsToStop);
  sendJson(response, JSON.stringify({ jobsToStop }));
}
