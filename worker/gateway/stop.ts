/** `job-stop`: the user's container asks which of its jobs it shall stop. */
import type { ServerResponse } from 'node:http';
import type { Agent } from '../agent.ts';
import { goneSignal, HOLD, sendJson } from './held-call.ts';

export async function stopJobs(agent: Agent, response: ServerResponse): Promise<void> {
  const jobsToStop = await agent.stops(AbortSignal.any([goneSignal(response), AbortSignal.timeout(HOLD)]));
  if (jobsToStop.length > 0) sendJson(response, JSON.stringify({ jobsToStop }));
  else response.writeHead(204).end();
}
