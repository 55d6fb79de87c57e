/** Mixed jobs: each kind of job that clients submit, one after the other, from several clients at a time. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, Clients } from '../waiting-calls/clients.ts';

const ENDPOINT = 'echo';
/** Clients that submit jobs at the same time. */
const CLIENTS = 8;
/** Milliseconds between two polls of a job. */
const POLL = 100;
/** Milliseconds before a refused request is sent again. */
const RETRY = 1_000;
/** Milliseconds after which a job that has not ended is an error. */
const LIMIT = 120_000;
const CHUNKS = 5;

export interface Load {
  /**
   * Runs this many jobs to their ends.
   * @throws if a job does not end as it must
   */
  run(jobs: number): Promise<void>;
  stop(): void;
}

/** Receives webhooks. */
async function openReceiver() {
  const waiting = new Map<string, () => void>();
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      waiting.get(request.url ?? '')?.();
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    /** Returns a webhook URL, and a promise that resolves when the service has called it. */
    expect(name: string) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const path = `/${name}`;
      waiting.set(path, resolve);
      return { url: `http://127.0.0.1:${port}${path}`, called: promise.finally(() => waiting.delete(path)) };
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const hasEnded = ({ status }: Answer['json']) => status !== 'IN_QUEUE' && status !== 'IN_PROGRESS';

export async function openLoad({ ask }: Clients): Promise<Load> {
  const receiver = await openReceiver();

  async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer['json']> {
    for (const deadline = Date.now() + LIMIT; ; await delay(RETRY)) {
      const { status, json } = await ask(method, `${ENDPOINT}/${path}`, body && JSON.stringify(body));
      if (status === 200) return json;
      // On a busy machine, the service refuses some requests for a moment.
      if ((status !== 429 && status < 500) || Date.now() > deadline)
        throw new Error(`${method} ${path} was answered with ${status}: ${JSON.stringify(json)}`);
    }
  }
  const submit = async (input: object, rest: object = {}) => String((await call('POST', 'run', { input, ...rest })).id);

  async function end(id: string): Promise<void> {
    for (const deadline = Date.now() + LIMIT; Date.now() < deadline; await delay(POLL)) {
      const job = await call('GET', `status/${id}`);
      if (job.status === 'COMPLETED') return;
      if (hasEnded(job)) throw new Error(`Job ${id} is ${job.status}: ${JSON.stringify(job)}`);
    }
    throw new Error(`Job ${id} has not ended within ${LIMIT} ms.`);
  }

  const kinds: readonly ((n: number) => Promise<void>)[] = [
    async function run(n) {
      await end(await submit({ n }));
    },
    async function runsync(n) {
      const { id, status } = await call('POST', 'runsync', { input: { n } });
      if (status !== 'COMPLETED') await end(String(id));
    },
    async function cancel() {
      const id = await submit({ op: 'sleep', ms: LIMIT });
      const { status } = await call('POST', `cancel/${id}`);
      if (status !== 'CANCELLED') throw new Error(`The cancelled job ${id} is ${status}.`);
    },
    async function stream() {
      const id = await submit({ op: 'stream', chunks: CHUNKS, size: 100 });
      let read = 0;
      for (const deadline = Date.now() + LIMIT; read < CHUNKS; await delay(POLL)) {
        if (Date.now() > deadline) throw new Error(`Job ${id} has streamed ${read} of ${CHUNKS} chunks.`);
        read += ((await call('GET', `stream/${id}`)) as unknown as readonly unknown[]).length;
      }
    },
    async function webhook(n) {
      const { url, called } = receiver.expect(`job-${n}`);
      await submit({ n }, { webhook: url });
      await called;
    },
  ];

  let begun = 0;
  async function client(last: number): Promise<void> {
    while (begun < last) {
      const n = begun;
      begun += 1;
      await kinds[n % kinds.length]?.(n);
    }
  }
  return {
    async run(jobs) {
      const last = begun + jobs;
      await Promise.all(Array.from({ length: CLIENTS }, () => client(last)));
    },
    stop: () => receiver.stop(),
  };
}
