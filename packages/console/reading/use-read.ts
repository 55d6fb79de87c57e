/** Reads from a text for a component. */
import { useEffect, useState } from 'react';
import { type ArgumentOf, type Name, type ResultOf, read, type TextOf } from './read.ts';

export interface Reading<Result> {
  /** The result; undefined until the first text is read. While another text is read, the last result. */
  readonly value?: Result;
  /** The error of the last text that was read, instead of a value. */
  readonly error?: unknown;
  /** Whether the value or error belongs to this text and argument. */
  readonly isCurrent: boolean;
}

interface Last<N extends Name> {
  readonly text: TextOf<N>;
  readonly argument: ArgumentOf<N>;
  readonly value?: ResultOf<N>;
  readonly error?: unknown;
}

/**
 * @param text undefined if nothing must be read yet
 * @param argument a value of the same identity for the same request
 */
export function useRead<N extends Name>(
  name: N,
  text: TextOf<N> | undefined,
  argument?: ArgumentOf<N>,
): Reading<ResultOf<N>> {
  const [last, setLast] = useState<Last<N>>();
  useEffect(() => {
    if (text === undefined) return;
    const reader = new AbortController();
    read(name, text, argument, reader.signal).then(
      (value) => setLast({ text, argument: argument as ArgumentOf<N>, value }),
      (error: unknown) => {
        if (!reader.signal.aborted) setLast({ text, argument: argument as ArgumentOf<N>, error });
      },
    );
    return () => reader.abort();
  }, [name, text, argument]);
  if (!last) return { isCurrent: false };
  const { text: of, argument: by, ...rest } = last;
  return { ...rest, isCurrent: of === text && by === argument };
}
