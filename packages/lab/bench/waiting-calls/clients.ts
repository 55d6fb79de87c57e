/** Clients that wait, and a client that submits jobs at the same time. */
import { Agent, request } from 'node:http';
import type { Service } from '../../../../test/support/service.ts';

export interface Answer {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface Clients {
  ask(method: 'GET' | 'POST', path: string, body?: string): Promise<Answer>;
  stop(): void;
}

/** An agent with one connection for each open request: thousands of requests wait at the same time. */
export function createClients({ jobApiUrl, apiKey }: Pick<Service, 'jobApiUrl' | 'apiKey'>): Clients {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  return {
    ask: (method, path, body) =>
      new Promise((resolve, reject) => {
        const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Length': Buffer.byteLength(body ?? '') };
        const sent = request(`${jobApiUrl}/${path}`, { agent, method, headers }, (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => {
            text += chunk;
          });
          response.on('error', reject);
          response.on('end', () => resolve({ status: response.statusCode ?? 0, json: JSON.parse(text) }));
        });
        sent.on('error', reject);
        sent.end(body);
      }),
    stop: () => agent.destroy(),
  };
}
