/** `job-stream`: the user's container streams a chunk. */
import type { ServerResponse } from 'node:http';
import { RequestError } from '../../core/errors.ts';
import { parseJsonObject } from '../../core/json.ts';
import type { Agent } from '../agent/agent.ts';

export async function storeChunk(agent: Agent, job: string, body: string, response: ServerResponse): Promise<void> {
  try {
    const chunk = parseJsonObject(body, ['output', 'metrics']);
    await agent.chunk(job, chunk.text('output') ?? 'null', chunk.text('metrics'));
    response.writeHead(200).end();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    response.writeHead(error.status).end(error.message);
  }
}
