/** Sends the same request for many items, for a dialog that shows the progress. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { inBulk, type Progress } from '../api/bulk.ts';

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export interface Bulk {
  /** Undefined before the start. */
  readonly progress: Progress | undefined;
  readonly isRunning: boolean;
  readonly start: (ids: readonly string[], request: (id: string) => Promise<unknown>) => Promise<void>;
  readonly stop: () => void;
}

/** Leaving the page stops the run. */
export function useBulk(): Bulk {
  const [progress, setProgress] = useState<Progress | undefined>(undefined);
  const [isRunning, setRunning] = useState(false);
  const controller = useRef<AbortController | undefined>(undefined);
  const stop = useCallback(() => controller.current?.abort(), []);
  useEffect(() => stop, [stop]);

  const start = useCallback(async (ids: readonly string[], request: (id: string) => Promise<unknown>) => {
    controller.current = new AbortController();
    const { signal } = controller.current;
    setRunning(true);
    setProgress({ total: ids.length, done: 0, failed: [] });
    setProgress(await inBulk(ids, request, { signal, onProgress: setProgress, sleep }));
    setRunning(false);
  }, []);

  return { progress, isRunning, start, stop };
}
