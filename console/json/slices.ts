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
