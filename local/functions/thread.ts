/**
 * The code of a function's worker thread: loads the bundle at the start, then answers several invocations at a
 * time. An AWS environment has one invocation at a time, so a handler that stores state of an invocation in the
 * module would fail only here.
 */
import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { awslambda, isStreaming } from './awslambda.ts';
import { ResponseStream } from './response-stream.ts';

export interface ThreadData {
  /** Folder of the unpacked bundle. */
  readonly folder: string;
  /** Handler of the function, such as `index.handler`. */
  readonly handler: string;
}

export interface Invocation {
  readonly id: string;
  /** The event as JSON, as in AWS. */
  readonly event: string;
  /** Milliseconds since the epoch at which the call times out. */
  readonly deadline: number;
  readonly context: Readonly<Record<string, string>>;
  /** Port that receives the response. */
  readonly port: MessagePort;
}

/** A handler gets the event and its context. A streaming handler gets the response stream between them. */
type Handler = (event: unknown, ...rest: readonly object[]) => unknown;

// The variable is for the start of this thread only; no function has it in AWS.
delete process.env.NODE_COMPILE_CACHE;

const { folder, handler: handlerName } = workerData as ThreadData;
const [file = '', name = ''] = handlerName.split('.');

// In AWS a bundle is in a folder without package.json, so its .js files are CommonJS. Here the folder can be in a
// package of ES modules.
registerHooks({
  load: (url, context, next) => next(url, url.startsWith('file:') ? { ...context, format: 'commonjs' } : context),
});
Object.assign(globalThis, { awslambda });
const { [name]: handle } = createRequire(import.meta.url)(join(folder, `${file}.js`)) as Record<string, Handler>;

async function respond({ id, event, deadline, context: names }: Invocation, response: ResponseStream): Promise<void> {
  if (!handle) throw new Error(`${handlerName} is undefined or not exported`);
  const context = {
    ...names,
    awsRequestId: id,
    functionVersion: '$LATEST',
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
  if (!isStreaming(handle)) {
    const result: unknown = await handle(JSON.parse(event), context);
    response.end(JSON.stringify(result ?? null));
    return;
  }
  const running: unknown = handle(JSON.parse(event), response, context);
  if (!(running instanceof Promise)) throw new Error('Streaming does not support non-async handlers.');
  await running;
  await finished(response);
}

parentPort?.on('message', async (invocation: Invocation) => {
  const response = new ResponseStream(invocation.port);
  try {
    await respond(invocation, response);
  } catch (error) {
    console.error(error);
    response.fail(error);
  }
});
