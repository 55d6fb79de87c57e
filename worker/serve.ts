/**
 * The worker SDK. A worker is a process that calls `serve` with a handler:
 *
 *     import { serve } from 'gpu-endpoints/worker';
 *
 *     serve(async ({ input }) => {
 *       return { answer: await model.generate(input.prompt) };
 *     });
 *
 * It takes one job at a time from the agent of its task and reports what the handler returns or throws.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { environment } from '../aws/environment.ts';
import { jsonText, parseJsonObject } from '../core/json.ts';

export interface WorkerJob {
  readonly id: string;
  /** The job's input, parsed. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The job's input as the client wrote it: numbers of any size, -0 and escapes are still there. */
  readonly inputText: string;
}

/** A handler's result is any JSON value, or `rawJson(text)`; nothing at all ends the job without output. */
export type Handler = (job: WorkerJob) => unknown;

const RAW = Symbol('raw JSON');

/** An output that is JSON text already and shall not be parsed. */
export const rawJson = (text: string): object => ({ [RAW]: text });

const PAUSE = 1_000;
const REPORT_TRIES = 10;

function outputText(result: unknown): string | undefined {
  if (typeof result === 'object' && result !== null && RAW in result) return String(result[RAW]);
  return JSON.stringify(result);
}

async function reportOf(handler: Handler, job: WorkerJob): Promise<string> {
  try {
    return jsonText({ output: outputText(await handler(job)) });
  } catch (error) {
    console.error(error);
    const message = error instanceof Error ? error.message : String(error);
    return jsonText({ error: JSON.stringify(message || 'The handler failed without a message.') });
  }
}

function jobFrom(body: string): WorkerJob {
  const { value, members } = parseJsonObject(body);
  const inputText = members.get('input') ?? '{}';
  return { id: String(value.id), input: parseJsonObject(inputText).value, inputText };
}

/** Runs jobs until SIGTERM or SIGINT; a job that runs then is finished and reported first. */
export async function serve(handler: Handler): Promise<void> {
  const agent = `http://127.0.0.1:${environment('AGENT_PORT')}/v2/${environment('ENDPOINT_ID')}`;
  const stopping = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => stopping.abort());
  /** An agent that does not answer is starting, or has an outage of its own behind it. */
  const pause = () => delay(PAUSE, undefined, { signal: stopping.signal }).catch(() => undefined);

  async function takeJob(): Promise<WorkerJob | undefined> {
    try {
      const response = await fetch(`${agent}/job-take/self?job_in_progress=0`, { signal: stopping.signal });
      if (response.status === 200) return jobFrom(await response.text());
      if (response.status !== 204) await pause();
    } catch {
      await pause();
    }
    return undefined;
  }

  async function report(job: WorkerJob, body: string): Promise<void> {
    for (let tries = 0; tries < REPORT_TRIES; tries += 1) {
      const response = await fetch(`${agent}/job-done/self/${job.id}`, { method: 'POST', body }).catch(() => undefined);
      if (response?.ok) return;
      await delay(PAUSE);
    }
    console.error(`The report of job ${job.id} did not reach the agent; the job will run again.`);
  }

  while (!stopping.signal.aborted) {
    const job = await takeJob();
    if (job) await report(job, await reportOf(handler, job));
  }
}
