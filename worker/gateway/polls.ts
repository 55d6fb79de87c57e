/**
 * The calls by which the user's container waits for something: `job-take` and `job-take-batch` for jobs, `job-stop` for
 * the jobs that it must stop. Each is answered when there is something to send, or empty after `HOLD` ms.
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { jsonText } from '../../core/json.ts';
import { SECOND } from '../../core/limits.ts';
import { AT_ONCE, STOPS } from '../../core/workers/protocol.ts';
import type { Agent } from '../agent/agent.ts';
import type { Offer } from '../agent/job-loop.ts';
import type { ChunkCalls } from './chunk-calls.ts';

/** Shorter than the time-out of clients, and than the time that a container has to stop. */
const HOLD = 20 * SECOND;

/** More than any container has slots. */
const LARGEST_BATCH = 100;

/** Aborts when the caller has gone. */
function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

function sendJson(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(text);
}

const jobText = ({ id, attempt, input, s3Config }: Offer): string =>
  jsonText({ id: JSON.stringify(id), attempt: String(attempt), input, s3Config });

/** @returns the jobs to answer with; none if the caller has gone or there was none for a while */
async function offersFor(
  agent: Agent,
  taker: string,
  query: URLSearchParams,
  response: ServerResponse,
  take: (until: AbortSignal) => Promise<readonly Offer[]>,
): Promise<readonly Offer[]> {
  const gone = goneSignal(response);
  if (query.get('job_in_progress') === '0') await agent.requeueAll(taker);
  const until = query.get('wait') === '0' ? AbortSignal.abort() : AbortSignal.any([gone, AbortSignal.timeout(HOLD)]);
  const offers = await take(until);
  if (gone.aborted) {
    await Promise.all(offers.map(({ id }) => agent.requeue(id)));
    return [];
  }
  // An agent that drains returns at once; the worker would ask again at once.
  if (offers.length === 0 && !until.aborted) await once(until, 'abort');
  return offers;
}

export async function takeJob(agent: Agent, taker: string, query: URLSearchParams, response: ServerResponse) {
  const [offer] = await offersFor(agent, taker, query, response, async (until) => {
    const next = await agent.next(until, taker);
    return next ? [next] : [];
  });
  if (offer) sendJson(response, jobText(offer));
  else response.writeHead(204).end();
}

export async function takeJobs(agent: Agent, taker: string, query: URLSearchParams, response: ServerResponse) {
  const asked = Number(query.get('batch_size') ?? 1);
  const most = Number.isInteger(asked) ? Math.min(Math.max(asked, 1), LARGEST_BATCH) : 1;
  const offers = await offersFor(agent, taker, query, response, (until) => agent.nextBatch(most, until, taker));
  if (offers.length > 0) sendJson(response, `[${offers.map(jobText).join(',')}]`);
  else response.writeHead(204).end();
}

/**
 * Answers with the jobs to stop. RunPod's SDK never confirms that it has stopped a job, but cancels the jobs of one
 * answer before it asks again. When it gets a job's id for the first time it may not have begun the job, and then runs
 * it.
 */
export async function stopJobs(
  agent: Agent,
  chunkCalls: ChunkCalls,
  query: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  if (query.get(STOPS) === AT_ONCE) await agent.confirmStopped();
  const jobsToStop = await agent.stops(AbortSignal.any([goneSignal(response), AbortSignal.timeout(HOLD)]));
  if (jobsToStop.length === 0) return void response.writeHead(204).end();
  await chunkCalls.between(jobsToStop);
  sendJson(response, JSON.stringify({ jobsToStop }));
}
