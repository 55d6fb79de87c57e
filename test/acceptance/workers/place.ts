/** Calls an endpoint as its clients do. */
import { join } from 'node:path';
import { call, eventually, type LocalService } from '../local-service.ts';

export interface Place {
  readonly endpoint: string;
  /** File to which the endpoint's handlers can write their starts and effects. */
  readonly log: string;
  /**
   * Submits a job.
   * @returns the job's id
   */
  submit(input: object, more?: object): Promise<string>;
  status(id: string): Promise<JobRecord>;
  /** Returns the job's record when it has ended. */
  ended(id: string): Promise<JobRecord>;
  /** Submits a job and returns its record when it has ended. */
  outcome(input: object, more?: object): Promise<JobRecord>;
  /**
   * Waits until the job runs and its record is as wanted.
   * @param isWanted default: any record
   */
  running(id: string, isWanted?: (record: JobRecord) => boolean): Promise<JobRecord>;
  /** Returns the outputs of the chunks that the job has streamed so far. */
  chunks(id: string): Promise<unknown[]>;
  cancel(id: string): Promise<void>;
  /** Returns the counts of ended jobs from `/health`. */
  counts(): Promise<{ readonly completed: number; readonly failed: number }>;
  /** Returns the number of unhealthy workers from `/health`. */
  unhealthyWorkers(): Promise<number>;
}

export interface JobRecord {
  readonly status: string;
  readonly output?: unknown;
  readonly error?: string;
  readonly code?: string;
  readonly workerId?: string;
  readonly attempts?: number;
}

/** Maximum number of attempts of a GET. A busy machine sometimes answers 500, which allows a retry. */
const QUESTIONS = 3;

/** Milliseconds. They allow for the replacement of a worker that does not stop its job. */
const WITHIN = 120_000;
const EVERY = 250;

export function placeAt(service: LocalService, endpoint: string): Place {
  async function ask<Answer>(method: string, path: string, body?: object, questions = QUESTIONS): Promise<Answer> {
    const url = `${service.JobApiUrl}/${endpoint}${path}`;
    const { status, text, json } = await call(service, method, url, { body: body && JSON.stringify(body) });
    if (status === 500 && method === 'GET' && questions > 1) return ask(method, path, body, questions - 1);
    if (status !== 200) throw new Error(`${method} ${path} on ${endpoint} answered ${status}: ${text}`);
    return json as Answer;
  }

  const place: Place = {
    endpoint,
    log: join(service.stateDir, `log-${endpoint}`),
    submit: async (input, more = {}) => (await ask<{ id: string }>('POST', '/run', { input, ...more })).id,
    status: (id) => ask('GET', `/status/${id}`),
    ended: (id) =>
      eventually(
        `job ${id} on ${endpoint} has ended`,
        async () => {
          const record = await ask<JobRecord>('GET', `/status-sync/${id}?wait=60000`);
          return ['IN_QUEUE', 'IN_PROGRESS'].includes(record.status) ? undefined : record;
        },
        { within: WITHIN },
      ),
    outcome: async (input, more) => place.ended(await place.submit(input, more)),
    running: (id, isWanted = () => true) =>
      eventually(
        `job ${id} on ${endpoint} runs with the expected record`,
        async () => {
          const record = await place.status(id);
          return record.status === 'IN_PROGRESS' && isWanted(record) ? record : undefined;
        },
        { within: WITHIN, every: EVERY },
      ),
    chunks: async (id) => (await ask<{ output: unknown }[]>('GET', `/stream/${id}`)).map(({ output }) => output),
    cancel: async (id) => void (await ask('POST', `/cancel/${id}`)),
    counts: async () => (await ask<{ jobs: { completed: number; failed: number } }>('GET', '/health')).jobs,
    unhealthyWorkers: async () => (await ask<{ workers: { unhealthy: number } }>('GET', '/health')).workers.unhealthy,
  };
  return place;
}
