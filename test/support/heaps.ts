/** Collects the garbage of a running Node.js process and of its threads, and reads what is left. */
import type { Inspector, Send } from './inspector.ts';

export interface Heap {
  /** Name of the function whose thread has this heap; `main` for the main thread. */
  readonly name: string;
  /** Used bytes after the collection. */
  readonly used: number;
}

/** Expression for the name of the function that runs in a thread. */
const FUNCTION_NAME = "process.env.AWS_LAMBDA_FUNCTION_NAME ?? ''";

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

/** Returns the heaps of the main thread and of all other threads, after a collection. */
export async function collectHeaps(inspector: Inspector): Promise<Heap[]> {
  const heaps = [await heapOf(inspector.send, 'main')];
  for (const { send } of await inspector.workers()) {
    // A thread can end at any time.
    const heap = await heapOf(send).catch(() => undefined);
    if (heap) heaps.push(heap);
  }
  return heaps;
}
