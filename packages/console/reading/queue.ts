/**
 * Sends requests to a worker, one at a time. A worker that reads cannot be interrupted, so leaving a request that runs
 * ends the worker, and the next request starts another.
 */
import { JsonSyntaxError } from '../json/syntax-error.ts';

/** What the page sends. Without `text`, the request reads the text of the previous one. */
export interface Ask {
  readonly name: string;
  readonly argument: unknown;
  readonly text?: unknown;
}

/** What the worker answers. `at` is the offset of a syntax error. */
export type Answer = { readonly result: unknown } | { readonly failed: string; readonly at?: number | undefined };

/** A worker. */
export interface Port {
  post(ask: Ask): void;
  /** Ends the worker, whatever it does. */
  stop(): void;
}

/**
 * Starts a worker.
 * @param onFailure called if the worker cannot start or answer
 */
export type Open = (onAnswer: (answer: Answer) => void, onFailure: (reason?: string) => void) => Port;

interface Request {
  readonly name: string;
  readonly text: unknown;
  readonly argument: unknown;
  readonly signal?: AbortSignal | undefined;
}

interface Waiting extends Request {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/**
 * Milliseconds that an aborted request may still run. Most searches end in this time, so that each typed character does
 * not start a worker.
 */
const GRACE = 250;

const errorOf = ({ failed, at }: { readonly failed: string; readonly at?: number | undefined }) =>
  at === undefined ? new Error(failed) : new JsonSyntaxError(failed, at);

export function createQueue(open: Open): (request: Request) => Promise<unknown> {
  let waiting: Waiting[] = [];
  let running: Waiting | undefined;
  let worker: Port | undefined;
  /** The text that the worker has. */
  let held: unknown;

  function stop(): void {
    worker?.stop();
    worker = undefined;
    held = undefined;
  }

  function finish(answer: Answer): void {
    const ended = running;
    running = undefined;
    if ('result' in answer) ended?.resolve(answer.result);
    else ended?.reject(errorOf(answer));
    next();
  }

  function fail(reason = 'its worker did not start'): void {
    stop();
    finish({ failed: `The browser could not read the text: ${reason}.` });
  }

  /** An answer can arrive after its worker was stopped. */
  function started(): Port {
    const port: Port = open(
      (answer) => {
        if (port === worker) finish(answer);
      },
      (reason) => {
        if (port === worker) fail(reason);
      },
    );
    return port;
  }

  function next(): void {
    if (running) return;
    running = waiting.shift();
    if (!running) return;
    const { name, text, argument } = running;
    try {
      worker ??= started();
      worker.post({ name, argument, ...(text !== held && { text }) });
      held = text;
    } catch (error) {
      fail(String(error));
    }
  }

  function leave(request: Waiting): void {
    request.reject(request.signal?.reason);
    waiting = waiting.filter((other) => other !== request);
    if (running !== request) return;
    setTimeout(() => {
      if (running !== request) return;
      running = undefined;
      stop();
      next();
    }, GRACE);
  }

  return (request) =>
    new Promise((resolve, reject) => {
      const entry: Waiting = { ...request, resolve, reject };
      waiting.push(entry);
      request.signal?.addEventListener('abort', () => leave(entry), { once: true });
      next();
    });
}

let opener: Open = () => {
  throw new Error('the page has no worker');
};

/** Sets how the worker of the page is started. */
export function openWith(open: Open): void {
  opener = open;
}

/** The worker of the page. */
export const queue = createQueue((...listeners) => opener(...listeners));
