/** Sends runs and holds the state of the last run. Sending a run again after a lost response does not run it twice. */
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError } from '../api/error.ts';
import type { Acknowledgement } from '../api/job-types.ts';
import { readJob } from '../job/job.ts';
import { jobKey } from '../job/use-job.ts';
import { useClient } from '../session/session.tsx';
import { createAttempts, isUnanswered } from './attempt.ts';
import { bodyOf, type Request } from './request.ts';

/** How a run is being sent. */
export type Sending = 'run' | 'runsync';

export interface Run {
  /** Undefined if no run is being sent. */
  readonly sending: Sending | undefined;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  readonly error: unknown;
  /** Time until which the service refuses runs, in milliseconds since the epoch; 0 if it accepts runs. */
  readonly refusedUntil: number;
  /** Does nothing while a run is being sent, or before `refusedUntil`. */
  send(request: Request, sending: Sending): void;
  /** Stops waiting. The job continues. */
  stopWaiting(): void;
}

/** Milliseconds until the user can send a run again after a 429 without `Retry-After`. */
const USUAL_PAUSE = 5000;

const WAIT = 90_000;

/** @param onJob called with the job's id as soon as it is known */
export function useRun(endpoint: string, onJob: (id: string) => void): Run {
  const client = useClient();
  const queries = useQueryClient();
  const attempts = useRef(createAttempts(() => crypto.randomUUID()));
  // A second click can arrive before the page is rendered again.
  const running = useRef<AbortController>(undefined);
  const [state, setState] = useState<Pick<Run, 'sending' | 'sentAt' | 'error' | 'refusedUntil'>>({
    sending: undefined,
    sentAt: 0,
    error: undefined,
    refusedUntil: 0,
  });

  async function post(request: Request, sending: Sending, signal: AbortSignal): Promise<void> {
    const body = bodyOf(request);
    const response = await client.send(`/v2/${encodeURIComponent(endpoint)}/${sending}`, {
      method: 'POST',
      text: body,
      headers: { 'Idempotency-Key': attempts.current.keyOf(`${sending} ${body}`) },
      ...(sending === 'runsync' && { query: { wait: WAIT } }),
      signal,
    });
    if (sending === 'run') return onJob(((await response.json()) as Acknowledgement).id);
    // The headers of the response arrive after at most 20 s, even if the job has not ended.
    const early = response.headers.get('x-job-id');
    if (early) onJob(early);
    const job = await readJob(await response.text());
    queries.setQueryData(jobKey(endpoint, job.id), job);
    return onJob(job.id);
  }

  function failed(error: unknown): void {
    const status = error instanceof ApiError ? error.status : 0;
    if (!isUnanswered(status)) attempts.current.answered();
    const pause = error instanceof ApiError ? (error.retryAfter ?? USUAL_PAUSE) : 0;
    setState((before) => ({
      ...before,
      sending: undefined,
      error,
      refusedUntil: status === 429 ? Date.now() + pause : 0,
    }));
  }

  async function send(request: Request, sending: Sending): Promise<void> {
    if (running.current || Date.now() < state.refusedUntil) return;
    const controller = new AbortController();
    running.current = controller;
    setState({ sending, sentAt: Date.now(), error: undefined, refusedUntil: 0 });
    try {
      await post(request, sending, controller.signal);
      attempts.current.answered();
      setState((before) => ({ ...before, sending: undefined }));
    } catch (error) {
      if (controller.signal.aborted) setState((before) => ({ ...before, sending: undefined }));
      else failed(error);
    } finally {
      running.current = undefined;
    }
  }

  return {
    ...state,
    send: (request, sending) => void send(request, sending),
    stopWaiting: () => running.current?.abort(),
  };
}
