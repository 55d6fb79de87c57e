/** `job-stop`: the user's container asks which of its jobs it shall stop. */
import type { ServerResponse } from 'node:http';
import { AT_ONCE, STOPS } from '../../core/workers/protocol.ts';
import type { Agent } from '../agent/agent.ts';
import type { ChunkCalls } from './chunk-calls.ts';
import { goneSignal, HOLD, sendJson } from './held-call.ts';

/**
 * The original's SDK never says that it has stopped a job, but cancels what it is told of before it asks again. The first
 * time it may not have begun with the job, and goes on with it.
 */
export async function stopJobs(
  agent: Agent,
  chunkCalls: ChunkCalls,
  query: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  if (query.get(STOPS) === AT_ONCE) await agent.haveStopped();
  const jobsToStop = await agent.stops(AbortSignal.any([goneSignal(response), AbortSignal.timeout(HOLD)]));
  if (jobsToStop.length === 0) return void response.writeHead(204).end();
  await chunkCalls.between(jobsToStop);
  sendJson(response, JSON.stringify({ jobsToStop }));
}
