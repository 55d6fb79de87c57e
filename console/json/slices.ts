/** Reads JSON in slices of a few milliseconds, so that the page remains responsive. */
import { type Children, type ScanOptions, scan } from './scan.ts';

/** Milliseconds of a slice: half a frame. */
const SLICE = 8;
const CHARACTERS = 20_000;

/** Lets the browser draw and handle input. */
export const pause = (): Promise<void> => {
  const { scheduler } = globalThis as { scheduler?: { yield?(): Promise<void> } };
  return scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));
};

/** @throws JsonSyntaxError, or the signal's reason if it is aborted */
export async function readChildren(
  text: string,
  start: number,
  { signal, whole = false, ...options }: ScanOptions & { readonly signal?: AbortSignal; readonly whole?: boolean } = {},
): Promise<Children> {
  const reading = scan(text, start, options, whole);
  for (let until = performance.now() + SLICE; !reading.step(CHARACTERS); ) {
    if (performance.now() < until) continue;
    await pause();
    signal?.throwIfAborted();
    until = performance.now() + SLICE;
  }
  return reading.children;
}

/** Characters that the page may read at once. */
export const AT_ONCE = 1_000_000;

/** Calls `work` for each item, in slices. @throws the signal's reason if it is aborted */
export async function mapped<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Result,
  signal?: AbortSignal,
): Promise<Result[]> {
  const results: Result[] = [];
  let until = performance.now() + SLICE;
  for (const item of items) {
    results.push(work(item));
    if (performance.now() < until) continue;
    await pause();
    signal?.throwIfAborted();
    until = performance.now() + SLICE;
  }
  return results;
}
