/** Finds the files in an output. */
import { useEffect, useState } from 'react';
import { JsonSyntaxError } from '../json/scan.ts';
import { type FoundMedia, findMedia } from './find-media.ts';

/** Returns the files; undefined while the text is being read. */
export function useMedia(text: string): readonly FoundMedia[] | undefined {
  const [found, setFound] = useState<{ readonly of: string; readonly media: readonly FoundMedia[] } | undefined>(
    undefined,
  );
  useEffect(() => {
    const reader = new AbortController();
    findMedia(text, reader.signal).then(
      (media) => setFound({ of: text, media }),
      (error: unknown) => {
        if (reader.signal.aborted) return;
        if (!(error instanceof JsonSyntaxError)) throw error;
        setFound({ of: text, media: [] });
      },
    );
    return () => reader.abort();
  }, [text]);
  return found?.of === text ? found.media : undefined;
}
