/**
 * The code of a function's worker thread: loads the bundle at the start, then answers several invocations at a
 * time. An AWS environment has one invocation at a time, so a handler that stores state of an invocation in the
 * module would fail only here.
 */
import { existsSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { awslambda, isStreaming } from './awslambda.ts';
import { type Demand, errorPart, type Part, ResponseStream, type SendPart } from './response-stream.ts';

export interface ThreadData {
  /** Folder of the unpacked bundle. */
  readonly folder: string;
  /** Handler of the function, such as `index.handler`. */
  readonly handler: string;
  /** Names of errors that are logged to the standard output. */
  readonly repeatErrors: readonly string[];
}

export interface Invocation {
  /** Number of the call. */
  readonly call: number;
  readonly requestId: string;
  /** The event as JSON, as in AWS. */
  readonly event: string;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  /** Milliseconds. */
  readonly timeout: number;
  readonly context: Readonly<Record<string, string>>;
  /** Number of chunks that the caller accepts without a demand. */
  readonly demand: number;
}

/** A message to the thread: an invocation, or a demand of the caller of a streamed response. */
export type ToThread = Invocation | { readonly call: number; readonly wants: Demand };

/** A message from the thread: that it has loaded the bundle, or a part of the response to a call. */
export type FromThread = 'loaded' | { readonly call: number; readonly part: Part };

/** A handler gets the event and its context. A streaming handler gets the response stream between them. */
type Handler = (event: unknown, ...rest: readonly object[]) => unknown;

// The variable is for the start of this thread only; no function has it in AWS.
delete process.env.NODE_COMPILE_CACHE;

const { folder, handler: handlerName, repeatErrors } = workerData as ThreadData;
const [file = '', name = ''] = handlerName.split('.');

const ownRequire = createRequire(import.meta.url);

/** Packages that Lambda's runtime contains. */
const OF_RUNTIME = /^@(?:aws-sdk|smithy)\//;

/** Endings of the files of modules, in the order in which Lambda looks for them. */
const ENDINGS = ['js', 'mjs', 'cjs'];

const folderUrl = `${pathToFileURL(folder).href}/`;

registerHooks({
  // Lambda's runtime contains the SDK, so a bundle need not.
  resolve(specifier, context, next) {
    try {
      return next(specifier, context);
    } catch (error) {
      if (!OF_RUNTIME.test(specifier)) throw error;
      return { url: pathToFileURL(ownRequire.resolve(specifier)).href, shortCircuit: true };
    }
  },
  // In AWS a bundle is in a folder without package.json, so its .js files are CommonJS. Here the folder can be in a
  // package of ES modules.
  load(url, context, next) {
    const path = url.startsWith(folderUrl) ? url.slice(folderUrl.length) : '';
    const isOfBundle = path.endsWith('.js') && !path.includes('node_modules/');
    return next(url, isOfBundle ? { ...context, format: 'commonjs' } : context);
  },
});
Object.assign(globalThis, { awslambda });
const modules = ENDINGS.map((ending) => join(folder, `${file}.${ending}`));
const { [name]: handle } = ownRequire(modules.find(existsSync) ?? join(folder, file)) as Record<string, Handler>;
const loadedAt = Date.now();

/** The streamed responses in progress, by the numbers of their calls. */
const streams = new Map<number, ResponseStream>();

const sendTo =
  (call: number): SendPart =>
  (part) =>
    parentPort?.postMessage({ call, part } satisfies FromThread, part.type === 'chunk' ? [part.bytes.buffer] : []);

async function stream(handler: Handler, { call, event, demand }: Invocation, context: object): Promise<void> {
  const response = new ResponseStream(sendTo(call), demand);
  streams.set(call, response);
  response.once('close', () => streams.delete(call));
  try {
    const running: unknown = handler(JSON.parse(event), response, context);
    if (!(running instanceof Promise)) throw new Error('Streaming does not support non-async handlers.');
    await running;
    await finished(response);
  } catch (error) {
    console.error(error);
    response.fail(error);
  }
}

async function run(invocation: Invocation): Promise<void> {
  const { call, event, requestId, sentAt, timeout, context: names } = invocation;
  // As in AWS, the time of a call does not include the load of the bundle.
  const deadline = Math.max(sentAt, loadedAt) + timeout;
  const context = {
    ...names,
    awsRequestId: requestId,
    functionVersion: '$LATEST',
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
  const send = sendTo(call);
  try {
    if (!handle) throw new Error(`${handlerName} is undefined or not exported`);
    if (isStreaming(handle)) return await stream(handle, invocation, context);
    const result: unknown = await handle(JSON.parse(event), context);
    send({ type: 'whole', body: JSON.stringify(result ?? null) });
  } catch (error) {
    const isOnPurpose = error instanceof Error && repeatErrors.includes(error.name);
    if (isOnPurpose) console.log(error);
    else console.error(error);
    send(errorPart(error));
  }
}

parentPort?.postMessage('loaded' satisfies FromThread);
parentPort?.on('message', (message: ToThread) => {
  if ('wants' in message) streams.get(message.call)?.hear(message.wants);
  else void run(message);
});
