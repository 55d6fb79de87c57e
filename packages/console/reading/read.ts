/** Reads texts: small ones on the page, large ones in the worker, so that the page responds to its user meanwhile. */
import { queue } from './queue.ts';
import { call, type requests } from './requests.ts';

export type Requests = typeof requests;
export type Name = keyof Requests;
export type TextOf<N extends Name> = Parameters<Requests[N]>[0];
export type ArgumentOf<N extends Name> = Parameters<Requests[N]>[1];
export type ResultOf<N extends Name> = Awaited<ReturnType<Requests[N]>>;

/** Characters that the page may read at once. */
export const AT_ONCE = 1_000_000;

const sizeOf = (text: string | readonly string[]): number =>
  typeof text === 'string' ? text.length : text.reduce((sum, { length }) => sum + length, 0);

/**
 * @param signal aborts the reading
 * @throws JsonSyntaxError if the text must be JSON and is not; the signal's reason if it is aborted
 */
export async function read<N extends Name>(
  name: N,
  text: TextOf<N>,
  argument?: ArgumentOf<N>,
  signal?: AbortSignal,
): Promise<ResultOf<N>> {
  signal?.throwIfAborted();
  const result =
    sizeOf(text) > AT_ONCE ? await queue({ name, text, argument, signal }) : await call(name, text, argument);
  signal?.throwIfAborted();
  return result as ResultOf<N>;
}
