/** The SDK's calls of the worker protocol, to the agent of its task. */
import { environment } from '../../aws/environment.ts';
import { systemClock } from '../../core/clock.ts';
import { parseJsonObject } from '../../core/json/json.ts';
import { SECOND } from '../../core/limits.ts';
import { SELF } from '../../core/workers/protocol.ts';
import { type Answer, callAgent, isSuccess } from './agent-call.ts';

const PAUSE = SECOND;
const REPORT_TRIES = 10;
/**
 * Time before the first poll. Most jobs end earlier; the agent itself checks once a second whether they must
 * stop.
 */
const FIRST_STOP_POLL = 500;

/** A job as the agent has sent it. */
export interface TakenJob {
  readonly id: string;
  readonly attempt: number;
  readonly inputText: string;
  readonly s3ConfigText?: string | undefined;
  readonly traceparent?: string | undefined;
}

export interface AgentClient {
  /**
   * Returns the next job, or undefined if none arrived in time. If the agent did not answer, returns undefined
   * after a pause.
   */
  take(signal: AbortSignal): Promise<TakenJob | undefined>;
  /**
   * Sends a chunk to the agent, which buffers and stores it. Retries for a while, until `signal` aborts.
   * @throws the reason why the agent does not have the chunk
   */
  chunk(id: string, body: string, signal: AbortSignal): Promise<void>;
  /** Reports the progress of a job. Does not retry, because a later report replaces this one. */
  progress(id: string, body: string): Promise<void>;
  /** Reports the outcome of a job. Retries for a while. */
  report(id: string, body: string): Promise<void>;
  /** Reports that no job runs here. A lost job then starts again immediately, and a stopped job is released. */
  letGo(): Promise<void>;
  /** Resolves with true when the job must stop, or with false once `signal` aborts. */
  stopped(id: string, signal: AbortSignal): Promise<boolean>;
}

function jobFrom(body: string): TakenJob {
  const job = parseJsonObject(body, ['id', 'attempt', 'input', 's3Config', 'traceparent']);
  const { inputText = '{}', s3ConfigText } = { inputText: job.text('input'), s3ConfigText: job.text('s3Config') };
  const traceparent = job.value('traceparent');
  return {
    id: String(job.value('id')),
    attempt: Number(job.value('attempt') ?? 1),
    inputText,
    s3ConfigText,
    ...(typeof traceparent === 'string' && { traceparent }),
  };
}

/**
 * Calls the agent for one process that runs jobs.
 * @param taker name of the caller, which is unique in its container and runs one job at a time
 */
export function createAgentClient(taker = SELF): AgentClient {
  const address = `http://127.0.0.1:${environment('AGENT_PORT')}/v2/${environment('ENDPOINT_ID')}`;

  /**
   * Sends a body to a path of the agent.
   * @returns undefined if the agent does not answer
   */
  const post = (path: string, body: string): Promise<Answer | undefined> =>
    callAgent(`${address}/${path}`, { body }).catch(() => undefined);

  async function asksToStop(id: string, signal: AbortSignal): Promise<boolean> {
    const answer = await callAgent(`${address}/job-stop/${taker}`, { signal });
    if (answer.status === 204) return false;
    const { jobsToStop } = (isSuccess(answer) ? JSON.parse(answer.body) : {}) as { jobsToStop?: readonly string[] };
    if (jobsToStop?.includes(id)) return true;
    // The agent does not support this call, or the ids are of other jobs.
    await systemClock.pause(PAUSE, signal);
    return false;
  }

  return {
    async take(signal) {
      try {
        const { status, body } = await callAgent(`${address}/job-take/${taker}?job_in_progress=0`, { signal });
        if (status === 200) return jobFrom(body);
        if (status !== 204) await systemClock.pause(PAUSE, signal);
      } catch {
        // The agent is starting, or is temporarily unavailable.
        await systemClock.pause(PAUSE, signal);
      }
      return undefined;
    },

    async chunk(id, body, signal) {
      for (let tries = 0; tries < REPORT_TRIES && !signal.aborted; tries += 1) {
        const answer = await post(`job-stream/${taker}/${id}`, body);
        if (answer && isSuccess(answer)) return;
        if (answer && answer.status < 500) throw new Error(answer.body);
        await systemClock.pause(PAUSE, signal);
      }
      throw new Error('A chunk could not be sent to the agent.');
    },

    progress: async (id, body) => void (await post(`job-done/${taker}/${id}`, body)),

    async report(id, body) {
      for (let tries = 0; tries < REPORT_TRIES; tries += 1) {
        const answer = await post(`job-done/${taker}/${id}`, body);
        if (answer && isSuccess(answer)) return;
        await systemClock.pause(PAUSE);
      }
      console.error(
        `The report of job ${id} could not be sent to the agent; the job will run again, unless this was its last attempt.`,
      );
    },

    async letGo() {
      await callAgent(`${address}/job-take/${taker}?job_in_progress=0&wait=0`).catch(() => undefined);
    },

    async stopped(id, signal) {
      await systemClock.pause(FIRST_STOP_POLL, signal);
      while (!signal.aborted) {
        if (await asksToStop(id, signal).catch(() => systemClock.pause(PAUSE, signal))) return true;
      }
      return false;
    },
  };
}
