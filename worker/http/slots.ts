/** `protocol: http`: takes jobs for the user's HTTP server, sends each to the server and reports the response. */
import { type Clock, type Pause, systemClock } from '../../core/clock.ts';
import { SECOND } from '../../core/limits.ts';
import { openAiCallFrom } from '../../core/openai/call-from-input.ts';
import { InvalidRequest, RequestError } from '../../core/requests/errors.ts';
import type { Report } from '../../core/workers/report.ts';
import type { Server } from '../../core/workers/server-settings.ts';
import type { Agent } from '../agent/agent.ts';
import type { Offer } from '../agent/job-loop.ts';
import type { AgentLog } from '../agent/ports.ts';
import { reportFrom } from './answer.ts';
import { watchHealth } from './health.ts';
import { openAiReport, refusal } from './openai-answer.ts';
import { callServer, NoAnswer, requestFor, UnusableAnswer } from './request.ts';

/** Pause after a failed AWS call. */
const PAUSE = SECOND;

export interface SlotsHost {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: AgentLog;
  readonly pause?: Pause;
}

export interface Slots {
  /** Resolves with a sentence when the server has been down for too long. The task must then stop. */
  readonly lost: Promise<string>;
  /** Stops watching the server, and aborts the requests in progress. */
  end(): void;
}

/** Takes as many jobs at the same time as the server may have, from its start until the agent drains. */
export function openSlots(agent: Agent, server: Server, { clock, log, pause = systemClock.pause }: SlotsHost): Slots {
  const ending = new AbortController();
  const running = new Map<string, AbortController>();
  const health = watchHealth(server, { clock, pause, isIdle: () => running.size === 0 }, ending.signal);

  /**
   * Retries until the action succeeds or `signal` aborts: a job that is lost in the meantime needs nothing more. Does
   * not retry a `RequestError`.
   */
  async function untilDone(
    what: string,
    job: string,
    signal: AbortSignal,
    action: () => Promise<unknown>,
  ): Promise<void> {
    while (!signal.aborted) {
      try {
        await action();
        return;
      } catch (error) {
        if (error instanceof RequestError) throw error;
        log.error(`${what}; retrying.`, { error, jobId: job });
        await pause(PAUSE, signal);
      }
    }
    signal.throwIfAborted();
  }

  /**
   * Sends the job. When the server answers, the copy of the input as bytes is no longer in memory.
   * @returns the response, and the function that reads it
   */
  async function send(offer: Offer, signal: AbortSignal) {
    const input = Buffer.from(offer.input);
    const call = await openAiCallFrom(input);
    const response = await callServer({ ...requestFor(server, offer, input, call), signal });
    return { response, read: call ? openAiReport : reportFrom };
  }

  /**
   * Sends a job to the server, and reads the response.
   * @returns how the job ended, or undefined if it did not end
   */
  async function post(offer: Offer, signal: AbortSignal): Promise<Report | undefined> {
    const { id } = offer;
    const store = (chunk: string) =>
      untilDone('A chunk could not be stored', id, signal, () => agent.chunk(id, chunk, undefined));
    try {
      const { response, read } = await send(offer, signal);
      return await read(response, store, id);
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error instanceof InvalidRequest) return refusal(id, error.message);
      if (error instanceof RequestError) return { error: error.message };
      if (error instanceof UnusableAnswer) return { error: `The server ${error.message}.` };
      if (!(error instanceof NoAnswer) && (await health.answers()))
        return { error: `The server interrupted its response: ${(error as Error).message}.` };
      log.error('The server has died; its job is requeued.', { error, jobId: id });
      health.gone();
      return undefined;
    }
  }

  async function run(offer: Offer): Promise<void> {
    const { id } = offer;
    const stopping = new AbortController();
    running.set(id, stopping);
    try {
      const report = await post(offer, AbortSignal.any([stopping.signal, ending.signal]));
      // For a lost job, the agent only stops holding it; the agent requeues jobs that are not lost.
      await untilDone('The end of a job could not be stored', id, ending.signal, () =>
        report ? agent.report(id, report) : agent.requeue(id),
      );
    } finally {
      running.delete(id);
    }
  }

  async function fill(slot: string): Promise<void> {
    while (!ending.signal.aborted) {
      const down = await health.up();
      try {
        const offer = await agent.next(AbortSignal.any([down, ending.signal]), slot);
        if (offer) await run(offer);
        // The agent drains.
        else if (!down.aborted) return;
      } catch (error) {
        if (ending.signal.aborted) return;
        log.error('No job could be taken; retrying.', { error });
        await pause(PAUSE, ending.signal);
      }
    }
  }

  async function stopJobs(): Promise<void> {
    while (!ending.signal.aborted) {
      for (const id of await agent.stops(ending.signal)) running.get(id)?.abort();
    }
  }

  for (let slot = 1; slot <= server.concurrency; slot += 1) void fill(`slot-${slot}`);
  void stopJobs();
  return { lost: health.lost, end: () => ending.abort() };
}
