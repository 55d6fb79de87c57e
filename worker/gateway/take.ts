/** `job-take` and `job-take-batch`: the user's container asks for jobs. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { jsonText } from '../../core/json.ts';
import type { Agent } from '../agent/agent.ts';
import type { Offer } from '../agent/taking.ts';
import { goneSignal, HOLD, sendJson } from './held-call.ts';

/** More than any container has slots. */
const LARGEST_BATCH = 100;

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
  if (query.get('job_in_progress') === '0') await agent.giveBackAll(taker);
  const until = query.get('wait') === '0' ? AbortSignal.abort() : AbortSignal.any([gone, AbortSignal.timeout(HOLD)]);
  const offers = await take(until);
  if (gone.aborted) {
    await Promise.all(offers.map(({ id }) => agent.giveBack(id)));
    return [];
  }
  // An agent that drains has nothing at once; the worker would ask again at once.
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
