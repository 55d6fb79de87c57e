/** A client with one connection per concurrent request, which needs less processor time than `fetch`. */
import { Agent, request } from 'node:http';

const TIMEOUT = 20_000;

export interface Answer {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface Client {
  post(path: string, body: object): Promise<Answer>;
  get(path: string): Promise<Answer>;
  close(): void;
}

/** @throws Error unless the status is 200 */
export function accepted({ status, json }: Answer): Answer['json'] {
  if (status === 200) return json;
  throw new Error(`The request was answered with ${status}: ${JSON.stringify(json)}`);
}

export function createClient(url: string, headers: Readonly<Record<string, string>> = {}): Client {
  const agent = new Agent({ keepAlive: true });

  function send(method: string, path: string, body?: string): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const content =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const options = { method, agent, headers: { ...headers, ...content }, timeout: TIMEOUT };
    const outgoing = request(`${url}${path}`, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.once('error', reject);
      response.once('end', () => {
        try {
          resolve({ status: response.statusCode ?? 0, json: JSON.parse(text) });
        } catch (error) {
          reject(error);
        }
      });
    });
    outgoing.once('error', reject);
    outgoing.once('timeout', () => outgoing.destroy(new Error(`${method} ${path} had no response in ${TIMEOUT} ms.`)));
    outgoing.end(body);
    return promise;
  }

  return {
    post: (path, body) => send('POST', path, JSON.stringify(body)),
    get: (path) => send('GET', path),
    close: () => agent.destroy(),
  };
}
