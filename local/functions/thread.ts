/**
 * The inside of a function's worker thread: loads the bundle once, then answers invocations, several at a time. In AWS
 * an environment has one at a time; a handler that keeps state of an invocation outside of it would fail there.
 */
import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

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
}

export type InvocationResult = { readonly id: string } & (
  | { readonly result: string }
  | { readonly errorType: string; readonly errorMessage: string }
);

type Handler = (event: unknown, context: object) => unknown;

const { folder, handler: handlerName } = workerData as ThreadData;
const [file = '', name = ''] = handlerName.split('.');

// In AWS a bundle lies where no package.json is, so that its .js files are CommonJS. Here it may lie within a package of
// ES modules.
registerHooks({
  load: (url, context, next) => next(url, url.startsWith('file:') ? { ...context, format: 'commonjs' } : context),
});
const { [name]: handle } = createRequire(import.meta.url)(join(folder, `${file}.js`)) as Record<string, Handler>;

async function invoke({ id, event, deadline, context }: Invocation): Promise<InvocationResult> {
  try {
    if (!handle) throw new Error(`${handlerName} is undefined or not exported`);
    const result: unknown = await handle(JSON.parse(event), {
      ...context,
      awsRequestId: id,
      functionVersion: '$LATEST',
      getRemainingTimeInMillis: () => deadline - Date.now(),
    });
    return { id, result: JSON.stringify(result ?? null) };
  } catch (error) {
    console.error(error);
    if (!(error instanceof Error)) return { id, errorType: typeof error, errorMessage: String(error) };
    return { id, errorType: error.name, errorMessage: error.message };
  }
}

parentPort?.on('message', async (invocation: Invocation) => {
  parentPort?.postMessage(await invoke(invocation));
});
