/**
 * The inside of a function's worker thread: loads the bundle once, then answers invocations, several at a time. In AWS
 * an environment has one at a time; a handler that keeps state of an invocation outside of it would fail there.
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
  /** Such as `index.handler`. */
  readonly handler: string;
}

export interface Invocation {
  readonly id: string;
  /** The event as JSON, as it travels in AWS. */
  readonly event: string;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly context: Readonly<Record<string, string>>;
  /** Takes the response. */
  readonly port: MessagePort;
}

/** Takes the event and its context; one that streams takes the response between them. */
type Handler = (event: unknown, ...rest: readonly object[]) => unknown;

// For this thread's own start; no function has it in AWS.
delete process.env.NODE_COMPILE_CACHE;

const { folder, handler: handlerName } = workerData as ThreadData;
const [file = '', name = ''] = handlerName.split('.');

// In AWS a bundle lies where no package.json is, so that its .js files are CommonJS. Here it may lie within a package
// of
// ES modules.
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
