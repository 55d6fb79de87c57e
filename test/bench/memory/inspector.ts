/** Collects the garbage of a running Node.js process and of its threads, through its inspector. */
import { setTimeout as delay } from 'node:timers/promises';

export interface Heap {
  /** Name of the function whose thread has this heap; `main` for the main thread. */
  readonly name: string;
  /** Used bytes after the collection. */
  readonly used: number;
}

export interface Inspector {
  /** Collects the garbage of all threads. Returns their heaps. */
  collect(): Promise<Heap[]>;
  close(): void;
}

type Send = (method: string, params?: object) => Promise<unknown>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly sessionId: string; readonly message: string };
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Expression for the name of the function that runs in a thread. */
const FUNCTION_NAME = "process.env.AWS_LAMBDA_FUNCTION_NAME ?? ''";
/** Milliseconds in which all threads report themselves. */
const ATTACH = 1_000;
/** Milliseconds after which a thread that has ended is given up. */
const LIMIT = 10_000;

/** Numbers the calls of one connection, and resolves each with its response. */
function createCalls(write: (text: string) => void): { send: Send; receive(message: Message): void } {
  const waiting = new Map<number, (message: Message) => void>();
  let calls = 0;
  return {
    send(method, params = {}) {
      calls += 1;
      const id = calls;
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const timer = setTimeout(() => reject(new Error(`${method} has no response.`)), LIMIT);
      waiting.set(id, ({ result, error }) => {
        waiting.delete(id);
        clearTimeout(timer);
        if (error) reject(new Error(error.message));
        else resolve(result);
      });
      write(JSON.stringify({ id, method, params }));
      return promise;
    },
    receive(message) {
      if (message.id !== undefined) waiting.get(message.id)?.(message);
    },
  };
}

async function heapOf(send: Send, name?: string): Promise<Heap> {
  // The first collection runs finalizers, which release more objects.
  for (let n = 0; n < 2; n += 1) await send('HeapProfiler.collectGarbage');
  const { usedSize } = (await send('Runtime.getHeapUsage')) as { readonly usedSize: number };
  if (name !== undefined) return { name, used: usedSize };
  const { result } = (await send('Runtime.evaluate', { expression: FUNCTION_NAME })) as {
    readonly result: { readonly value?: string };
  };
  return { name: result.value ?? '', used: usedSize };
}

/** @param url address of the inspector, as Node.js prints it */
export async function openInspector(url: string): Promise<Inspector> {
  const socket = new WebSocket(url);
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>();
  socket.onopen = () => resolve();
  socket.onerror = () => reject(new Error(`The inspector ${url} cannot be reached.`));
  await opened;
  const main = createCalls((text) => socket.send(text));
  const threads = new Map<string, ReturnType<typeof createCalls>>();

  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    const { sessionId = '', message: text = '{}' } = message.params ?? {};
    if (message.method === 'NodeWorker.attachedToWorker') {
      const write = (of: string) => void main.send('NodeWorker.sendMessageToWorker', { sessionId, message: of });
      threads.set(sessionId, createCalls(write));
    } else if (message.method === 'NodeWorker.detachedFromWorker') threads.delete(sessionId);
    else if (message.method === 'NodeWorker.receivedMessageFromWorker')
      threads.get(sessionId)?.receive(JSON.parse(text) as Message);
    else main.receive(message);
  };
  await main.send('NodeWorker.enable', { waitForDebuggerOnStart: false });
  // Threads report themselves one after the other.
  await delay(ATTACH);

  return {
    async collect() {
      const heaps = [await heapOf(main.send, 'main')];
      for (const { send } of [...threads.values()]) {
        // A thread can end at any time.
        const heap = await heapOf(send).catch(() => undefined);
        if (heap) heaps.push(heap);
      }
      return heaps;
    },
    close: () => socket.close(),
  };
}
