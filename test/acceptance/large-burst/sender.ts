/** Sends the requests of a burst over a fixed number of connections, without repeating any. */
import { Agent, request as send } from 'node:http';
import { MINUTE } from '../../../core/limits.ts';
import type { KeyName } from './endpoints.ts';
import type { BurstRequest } from './requests.ts';

export interface Reply {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

/** A request that got no reply: the code of the connection's error. */
export interface NoReply {
  readonly error: string;
}

export interface Sender {
  /** Sends the requests in their order. Resolves when each has its reply or has failed. */
  burst(requests: readonly BurstRequest[]): Promise<void>;
  /** Number of replies so far. */
  replies(): number;
  stop(): void;
}

/** The contract's limit of `/run` calls at the same time. */
const CONNECTIONS = 200;
/** Milliseconds after which a request counts as unanswered, on a busy machine. */
const WITHIN = 3 * MINUTE;

export interface SenderOptions {
  readonly jobApiUrl: string;
  readonly keys: Readonly<Record<KeyName, string>>;
  /** Returns the id of a job that was accepted. */
  jobOf(request: BurstRequest): string;
  /** Called with each request and its reply. */
  onEnd(request: BurstRequest, path: string, reply: Reply | NoReply): void;
}

export function createSender({ jobApiUrl, keys, jobOf, onEnd }: SenderOptions): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let replies = 0;

  function exchange(url: string, { method, body = '', key, idempotencyKey }: BurstRequest): Promise<Reply | NoReply> {
    const { promise, resolve } = Promise.withResolvers<Reply | NoReply>();
    const failed = (error: NodeJS.ErrnoException) => resolve({ error: error.code ?? error.message });
    const headers = {
      Authorization: `Bearer ${keys[key]}`,
      'Content-Length': Buffer.byteLength(body),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    };
    const outgoing = send(url, { agent, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('error', failed);
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text }),
      );
    });
    outgoing.setTimeout(WITHIN, () => outgoing.destroy(new Error(`no reply within ${WITHIN} ms`)));
    outgoing.on('error', failed).end(body);
    return promise;
  }

  async function sendOne(request: BurstRequest): Promise<void> {
    const path = `/${request.endpoint}/${request.path.replace('{job}', () => jobOf(request))}`;
    const reply = await exchange(jobApiUrl + path, request);
    replies += 1;
    onEnd(request, path, reply);
  }

  return {
    async burst(requests) {
      const queue = requests.values();
      const lane = async () => {
        for (const request of queue) await sendOne(request);
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, lane));
    },
    replies: () => replies,
    stop: () => agent.destroy(),
  };
}
