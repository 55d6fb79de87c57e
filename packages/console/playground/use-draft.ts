/** Holds the typed input of an endpoint's playground, and the job whose input was loaded. */
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { limitedText } from '../api/limited-text.ts';
import { inputPath } from '../job/input-view.tsx';
import { AT_ONCE } from '../reading/read.ts';
import { useClient } from '../session/session.tsx';
import { type Draft, emptyDraft, keepDraft, readDraft } from './draft.ts';

/** Query parameter with the id of a job whose input is loaded. */
const SOURCE = 'input-of';

export interface Typed {
  readonly draft: Draft;
  change(changes: Partial<Draft>): void;
  /** Whether the draft survives a reload. */
  readonly isKept: boolean;
  /** Job whose input was loaded, and the text that the input has replaced. */
  readonly loaded: { readonly id: string; readonly replaced: Draft } | undefined;
  /** Restores the text that a loaded input has replaced. */
  restore(): void;
  /** Error that occurred while the input of a job was loaded. */
  readonly error: unknown;
}

export function useDraft(endpoint: string): Typed {
  const client = useClient();
  const [parameters, setParameters] = useSearchParams();
  const [draft, setDraft] = useState<Draft>(() => readDraft(endpoint) ?? emptyDraft);
  const [isKept, setKept] = useState(true);
  const [loaded, setLoaded] = useState<Typed['loaded']>();
  const [error, setError] = useState<unknown>();
  const source = parameters.get(SOURCE);

  function change(changes: Partial<Draft>): void {
    const next = { ...draft, ...changes };
    setDraft(next);
    setKept(keepDraft(endpoint, next));
  }

  useEffect(() => {
    if (source === null) return undefined;
    const reader = new AbortController();
    const { signal } = reader;
    async function load(id: string): Promise<void> {
      const input = await limitedText(await client.send(inputPath(endpoint, id), { signal }), AT_ONCE);
      if (input === undefined) throw new Error('The input is larger than 1 MB, so it cannot be edited here.');
      const replaced = readDraft(endpoint) ?? emptyDraft;
      const next = { ...replaced, input };
      setDraft(next);
      setKept(keepDraft(endpoint, next));
      setLoaded({ id, replaced });
    }
    load(source)
      .catch((failure: unknown) => {
        if (!signal.aborted) setError(failure);
      })
      .finally(() => {
        if (signal.aborted) return;
        // The parameter is removed, so that a reload keeps typed text.
        setParameters(
          (before) => {
            const after = new URLSearchParams(before);
            after.delete(SOURCE);
            return after;
          },
          { replace: true },
        );
      });
    return () => reader.abort();
  }, [source, endpoint, client, setParameters]);

  return {
    draft,
    change,
    isKept,
    loaded,
    restore() {
      if (loaded) change(loaded.replaced);
      setLoaded(undefined);
    },
    error,
  };
}
