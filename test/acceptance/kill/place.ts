/** Gives the cells of one endpoint access to its jobs and its workers. */
import { eventually, type LocalService, readStatus, submit } from '../local-service.ts';
import type { Endpoint } from './endpoints.ts';
import type { WorkerProcesses } from './processes.ts';

export interface Place {
  readonly service: LocalService;
  readonly processes: WorkerProcesses;
  readonly endpoint: Endpoint;
}

export interface Worker {
  readonly id: string;
  readonly agent: number;
  readonly supervisor: number;
  readonly runner: number;
}

/**
 * Milliseconds that are longer than any step: 30 s until a lease ends, 60 s until the next sweep, and the start of
 * a worker.
 */
export const WITHIN = 120_000;
/**
 * Milliseconds between two reads of the status over HTTP. The pause is long because many cells read at the same
 * time.
 */
export const EVERY = 250;
export async function submitted(place: Place, input: object): Promise<string> {
  const answer = await submit(place.service, JSON.stringify({ input }), place.endpoint.id);
  if (answer.status !== 200) throw new Error(`A submission was answered ${answer.status}: ${answer.text}`);
  return String(answer.json.id);
}

export const statusOf = async ({ service, endpoint }: Place, job: string) =>
  (await readStatus(service, job, endpoint.id)).json;

/** Returns the record of a job with the stages of its wait. */
export async function timelineOf({ service, endpoint }: Place, job: string) {
  const { json } = await readStatus(service, `${job}?timeline=true`, endpoint.id);
  return { record: json, timeline: json.timeline as readonly { readonly stage: string; readonly duration: number }[] };
}

export const jobEnds = (place: Place, job: string, as = 'COMPLETED') =>
  eventually(
    `job ${job} on ${place.endpoint.id} is ${as}`,
    async () => ((await statusOf(place, job)).status === as ? true : undefined),
    { within: WITHIN, every: EVERY },
  );

/** Runs a job, and returns its worker, which is idle afterwards. */
export function idleWorker(place: Place): Promise<Worker> {
  return eventually(
    `a worker of ${place.endpoint.id} is idle`,
    async () => {
      const job = await submitted(place, { op: 'effect' });
      await jobEnds(place, job);
      const id = String((await statusOf(place, job)).workerId);
      const { agent, supervisor, runner } = place.processes.task(id);
      return agent && supervisor && runner ? { id, agent, supervisor, runner } : undefined;
    },
    { within: WITHIN, every: EVERY },
  );
}

export const started = ({ endpoint }: Place, job: string, attempt: number) =>
  eventually(
    `attempt ${attempt} of job ${job} on ${endpoint.id} starts`,
    () => endpoint.log().find((line) => line.job === job && line.attempt === attempt && line.event === 'start'),
    { within: WITHIN, every: 20 },
  );

export const effectOf = ({ endpoint }: Place, job: string) =>
  eventually(
    `job ${job} on ${endpoint.id} has its effect`,
    () => endpoint.log().find((line) => line.job === job && line.event === 'effect'),
    { every: 20 },
  );

export const named = ({ endpoint }: Place, job: string, worker: string) =>
  eventually(`the lease of worker ${worker} of ${endpoint.id} names job ${job}`, () =>
    endpoint.gate.beats.find((beat) => beat.worker === worker && beat.jobs.includes(job)),
  );
