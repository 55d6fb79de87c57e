/** The HTTP calls of the SDK to the agent. `fetch` needs twice their processor time, which a short job notices. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { textOf } from '../../core/http/text.ts';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

export interface AgentCall {
  /** Body of a POST. Without a body, the call is a GET. */
  readonly body?: string;
  readonly signal?: AbortSignal;
}

const connections = new Agent({ keepAlive: true });

/**
 * Calls the agent, and reads its whole response.
 * @throws if the agent does not answer, or if `signal` aborts
 */
export async function callAgent(url: string, { body, signal }: AgentCall = {}): Promise<Answer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const call = request(url, { agent: connections, method, signal }, resolve);
    // An error may also occur after the response has begun; the reader of the response gets that error.
    call.on('error', reject);
    call.end(body);
  });
  return { status: response.statusCode ?? 0, body: await textOf(response) };
}

export const isSuccess = ({ status }: Answer): boolean => status >= 200 && status <= 299;
