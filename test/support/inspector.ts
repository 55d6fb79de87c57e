/** Speaks the inspector protocol of Node.js with a process and its worker threads. */
import { once } from 'node:events';

export type Send = (method: string, params?: object) => Promise<Readonly<Record<string, unknown>>>;

export interface WorkerSession {
  /** Title of the thread, such as `[worker 3] JobsRun`. */
  readonly title: string;
  readonly send: Send;
}

export interface Inspector {
  readonly send: Send;
  /** Attaches to all worker threads of the process. */
  workers(): Promise<readonly WorkerSession[]>;
  close(): void;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly sessionId: string;
    readonly message: string;
    readonly workerInfo: { readonly title: string };
  };
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

/** Numbers the requests of one session and finds the request of each response. */
class Session {
  readonly #write: (text: string) => void;
  readonly #open = new Map<number, PromiseWithResolvers<Readonly<Record<string, unknown>>>>();
  #last = 0;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  readonly send: Send = (method, params = {}) => {
    this.#last += 1;
    const request = Promise.withResolvers<Readonly<Record<string, unknown>>>();
    this.#open.set(this.#last, request);
    this.#write(JSON.stringify({ id: this.#last, method, params }));
    return request.promise;
  };

  receive({ id = 0, result = {}, error }: Message): void {
    const request = this.#open.get(id);
    this.#open.delete(id);
    if (error) request?.reject(new Error(error.message));
    else request?.resolve(result);
  }

  fail(error: Error): void {
    for (const { reject } of this.#open.values()) reject(error);
    this.#open.clear();
  }
}

/** @param url WebSocket of the process's inspector */
export async function openInspector(url: string): Promise<Inspector> {
  const socket = new WebSocket(url);
  const main = new Session((text) => socket.send(text));
  const sessions = new Map<string, { session: Session; title: string }>();

  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    const { method, params } = message;
    if (message.id !== undefined) return main.receive(message);
    if (!params) return;
    const { sessionId } = params;
    if (method === 'NodeWorker.attachedToWorker') {
      const write = (text: string) =>
        void main.send('NodeWorker.sendMessageToWorker', { sessionId, message: text }).catch(() => undefined);
      sessions.set(sessionId, { session: new Session(write), title: params.workerInfo.title });
    }
    if (method === 'NodeWorker.receivedMessageFromWorker')
      sessions.get(sessionId)?.session.receive(JSON.parse(params.message) as Message);
    if (method === 'NodeWorker.detachedFromWorker') {
      sessions.get(sessionId)?.session.fail(new Error('The thread has ended.'));
      sessions.delete(sessionId);
    }
  });
  socket.addEventListener('close', () => {
    const error = new Error('The process has closed its inspector.');
    for (const session of [main, ...[...sessions.values()].map((worker) => worker.session)]) session.fail(error);
  });
  await once(socket, 'open');

  return {
    send: main.send,
    async workers() {
      await main.send('NodeWorker.enable', { waitForDebuggerOnStart: false });
      return [...sessions.values()].map(({ session, title }) => ({ title, send: session.send }));
    },
    close: () => socket.close(),
  };
}
