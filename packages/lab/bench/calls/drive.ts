/** Drives a scenario over HTTP, and waits for its calls in the call log. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Service } from '../../../../test/support/service.ts';
import type { Call, CallLog } from './call-log.ts';
import { isWatch } from './classify.ts';

/** An error for a measurement that was disturbed. Another attempt may succeed. */
export class Disturbed extends Error {
  override readonly name = 'Disturbed';
}

export interface Answer {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface Submission {
  readonly operation: 'run' | 'runsync' | 'openai';
  /** Input of the job. For `openai`, the body of the call. */
  readonly input: object;
  /** Whether the job has a webhook. */
  readonly webhook?: true;
}

export interface Drive {
  /** Ids of the measured jobs. */
  readonly jobs: readonly string[];
  /** Number of HTTP requests for these jobs. */
  readonly requests: number;
  /** Returns the calls since the service started. */
  everyCall(): readonly Call[];
  /** Returns the calls since `mark` was called. */
  calls(): readonly Call[];
  /** Restarts the counting of calls and requests, and forgets the measured jobs. */
  mark(): void;
  /** Measures a job that was submitted earlier. */
  adopt(job: string): void;
  /** Stops counting the ledger's calls, because the ledger's later calls are also for jobs that are not measured. */
  closeLedger(): void;
  /** Number of calls from `mark` to `closeLedger`. Undefined if `closeLedger` was not called. */
  readonly ledgerClosed: number | undefined;
  request(method: string, path: string, body?: string): Promise<Answer>;
  submit(submission: Submission): Promise<string>;
  /** @param within time limit, in milliseconds */
  until(what: string, holds: () => boolean, within?: number): Promise<void>;
  pause(milliseconds: number): Promise<void>;
  /**
   * Returns when a worker last checked that it still holds its jobs, in milliseconds since the epoch. Workers check
   * every second. Undefined if there was no check.
   */
  lastWatch(): number | undefined;
}

/** The longest wait, and the pause between two checks, in milliseconds. */
const LIMIT = 60_000;
const LOOK = 10;

/**
 * @param receiver address of a webhook receiver that acknowledges immediately
 * @param endpoint id of the endpoint of all jobs
 */
export function createDrive(service: Service, log: CallLog, receiver: string, endpoint = 'echo'): Drive {
  let marked = 0;
  let ledgerClosed: number | undefined;
  let jobs: string[] = [];
  let requests = 0;

  function send(method: string, path: string, body?: string): Promise<Response> {
    requests += 1;
    const headers = { Authorization: `Bearer ${service.apiKey}`, 'Content-Type': 'application/json' };
    return fetch(`${service.jobApiUrl}/${endpoint}/${path}`, { method, headers, body: body ?? null });
  }

  async function request(method: string, path: string, body?: string): Promise<Answer> {
    const response = await send(method, path, body);
    return { status: response.status, json: (await response.json()) as Answer['json'] };
  }

  /** @returns the id of the call's job, after the whole response has arrived */
  async function callOpenAi(input: object): Promise<string> {
    const response = await send('POST', 'openai/v1/chat/completions', JSON.stringify(input));
    const text = await response.text();
    if (response.status !== 200) throw new Error(`The OpenAI call was answered with ${response.status}: ${text}`);
    return response.headers.get('X-Job-Id') ?? '';
  }

  async function submitJob({ operation, input, webhook }: Submission): Promise<string> {
    if (operation === 'openai') return callOpenAi(input);
    const body = { input, ...(webhook && { webhook: receiver }) };
    const { status, json } = await request('POST', operation, JSON.stringify(body));
    if (status !== 200) throw new Error(`POST ${operation} was answered with ${status}: ${JSON.stringify(json)}`);
    return String(json.id);
  }

  return {
    get jobs() {
      return jobs;
    },
    get requests() {
      return requests;
    },
    everyCall: log.read,
    calls: () => log.read().slice(marked),
    mark() {
      marked = log.read().length;
      ledgerClosed = undefined;
      jobs = [];
      requests = 0;
    },
    adopt(job) {
      jobs.push(job);
    },
    closeLedger() {
      ledgerClosed = log.read().length - marked;
    },
    get ledgerClosed() {
      return ledgerClosed;
    },
    request,

    async submit(submission) {
      const id = await submitJob(submission);
      jobs.push(id);
      return id;
    },

    async until(what, holds, within = LIMIT) {
      for (const deadline = Date.now() + within; !holds(); await delay(LOOK))
        if (Date.now() > deadline)
          throw new Disturbed(`This condition was not met within ${within / 1_000} s: ${what}.`);
    },

    pause: (milliseconds) => delay(milliseconds),

    lastWatch() {
      const last = log.read().findLast(isWatch);
      return last && Date.parse(last.time);
    },
  };
}
