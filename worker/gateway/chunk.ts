/** `job-stream`: the user's container streams a chunk. */
import type { ServerResponse } from 'node:http';
import { RequestError } from '../../core/errors.ts';
import { parseJsonObject } from '../../core/json.ts';
import type { Agent } from '../agent.ts';

export async function storeChunk(agent: Agent, job: string, body: string, response: ServerResponse): Promise<void> {
  try {
    const { members } = parseJsonObject(body);
    await agent.chunk(job, members.get('output') ?? 'null', members.get('metrics'));
    response.writeHead(200).end();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    response.writeHead(error.status).end(error.message);
  }
}
