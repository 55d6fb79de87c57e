/** The typed input of an endpoint's playground, and its origin. */
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { limitedText } from '../api/limited-text.ts';
import { inputPath } from '../job/input-view.tsx';
import { useClient } from '../session/session.tsx';
import { type Draft, emptyDraft, keepDraft, readDraft } from './draft.ts';

/** Parameter of the address: the job whose input is to be edited. */
const SOURCE = 'input-of';

/** Larger inputs are not edited, in bytes. */
const MOST = 2_000_000;

export interface Typed {
  readonly draft: Draft;
  change(changes: Partial<Draft>): void;
  /** Whether a reload keeps it. */
  readonly isKept: boolean;
  /** The job whose input was loaded, and the text that it has replaced. */
  readonly loaded: { readonly id: string; readonly replaced: Draft } | undefined;
  /** Brings back the text that a loaded input has replaced. */
  restore(): void;
  /** Why the input of a job could not be loaded. */
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
      const input = await limitedText(await client.send(inputPath(endpoint, id), { signal }), MOST);
      if (input === undefined) throw new Error('The input has more than 2 MB: it is too large to be edited here.');
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
        // A reload keeps what is typed from here on.
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
