/** Joins the tokens of a stream for the page. */
import { useEffect, useMemo, useState } from 'react';
import { AT_ONCE } from '../json/slices.ts';
import { largeStreamText, streamText } from './chunks.ts';

/**
 * Returns the text of the stream; undefined if an output is not a token, or while a large stream is read for the first
 * time.
 */
export function useStreamText(outputs: readonly string[]): string | undefined {
  const [large, setLarge] = useState<string>();
  const isLarge = useMemo(() => outputs.reduce((sum, { length }) => sum + length, 0) > AT_ONCE, [outputs]);
  const text = useMemo(() => (isLarge ? undefined : streamText(outputs)), [outputs, isLarge]);
  useEffect(() => {
    if (!isLarge) return;
    const reader = new AbortController();
    largeStreamText(outputs, reader.signal).then(setLarge, (error: unknown) => {
      if (!reader.signal.aborted) throw error;
    });
    return () => reader.abort();
  }, [outputs, isLarge]);
  return isLarge ? large : text;
}
