/** Records which jobs the service has accepted, and checks how they end. */
import { existsSync, readFileSync } from 'node:fs';
import pLimit from 'p-limit';
import type { Client } from '../api/client.ts';
import { FLOODED, HELD, RUNNING, STEADY } from './endpoints.ts';
import type { BurstRequest } from './requests.ts';
import type { Json } from './verdict.ts';

interface AcceptedJob {
  readonly id: string;
  readonly by: 'run' | 'runsync';
  readonly input: Json;
}

export interface AcceptedJobs {
  /**
   * Records a 200 of `/run` or `/runsync`.
   * @returns a problem if the job is not new or not that of its idempotency key
   */
  add(request: BurstRequest, id: string): string | undefined;
  /** Returns the id of a job of `/run` that the endpoint has accepted. */
  jobOf(request: BurstRequest): string;
  of(endpoint: string): readonly AcceptedJob[];
}

export function recordJobs(): AcceptedJobs {
  const jobs = new Map<string, AcceptedJob[]>([FLOODED, STEADY, HELD].map((endpoint) => [endpoint, []]));
  const byKey = new Map<string, string>();
  const ids = new Set<string>();
  return {
    add({ endpoint, operation, idempotencyKey, body = '' }, id) {
      const name = idempotencyKey === undefined ? id : `${endpoint} ${idempotencyKey}`;
      const known = byKey.get(name);
      byKey.set(name, id);
      if (idempotencyKey !== undefined && known === id) return undefined;
      if (known !== undefined || ids.has(id))
        return `got job ${id}, after ${known ?? 'the same job for another request'}`;
      ids.add(id);
      const { input } = JSON.parse(body) as { input: Json };
      jobs.get(endpoint)?.push({ id, by: operation === 'run' ? 'run' : 'runsync', input });
      return undefined;
    },
    jobOf({ endpoint, pick }) {
      const pool = jobs.get(endpoint)?.filter(({ by }) => by === 'run') ?? [];
      return pool[pick % pool.length]?.id ?? 'none';
    },
    of: (endpoint) => jobs.get(endpoint) ?? [],
  };
}

export const fails = ({ input }: AcceptedJob): boolean => input.op === 'fail';

/** Requests at the same time. */
const LANES = 20;

/** Returns a sentence for each job of `/run` whose record is not as wanted. */
async function wrongRecords(
  client: Client,
  endpoint: string,
  jobs: readonly AcceptedJob[],
  isWanted: (job: AcceptedJob, record: Json) => boolean,
): Promise<string[]> {
  const limit = pLimit(LANES);
  const found = jobs
    .filter(({ by }) => by === 'run')
    .map((job) =>
      limit(async () => {
        const { json, text } = await client.ask('GET', `/${endpoint}/status/${job.id}`);
        return isWanted(job, json) ? [] : [`${endpoint} ${job.id}: ${text.slice(0, 300)}`];
      }),
    );
  return (await Promise.all(found)).flat();
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Returns the jobs with workers that have not ended as their input says, in one attempt. */
export async function wronglyEnded(client: Client, jobs: AcceptedJobs): Promise<string[]> {
  const isWanted = (job: AcceptedJob, { status, attempts, output, code, error }: Json) =>
    attempts === 1 &&
    (fails(job)
      ? status === 'FAILED' && code === 'WORKER_ERROR' && error === job.input.message
      : status === 'COMPLETED' && same(output, job.input));
  const found: string[] = [];
  for (const endpoint of RUNNING) found.push(...(await wrongRecords(client, endpoint, jobs.of(endpoint), isWanted)));
  return found;
}

/** Returns the jobs without workers that are not cancelled, and the number of those that were purged. */
export async function heldJobs(client: Client, jobs: AcceptedJobs): Promise<{ wrong: string[]; purged: number }> {
  let purged = 0;
  const wrong = await wrongRecords(client, HELD, jobs.of(HELD), (_, { status, code }) => {
    if (code === 'PURGED') purged += 1;
    return status === 'CANCELLED';
  });
  return { wrong, purged };
}

interface LogLine {
  readonly job: string;
  readonly event: 'start' | 'effect';
}

/** Returns a sentence for each job that did not run exactly once according to the log of its handlers. */
export function wronglyRun(log: string, jobs: readonly AcceptedJob[]): string[] {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [];
  const events = Map.groupBy(
    lines.map((line) => JSON.parse(line) as LogLine),
    ({ job }) => job,
  );
  const accepted = new Set(jobs.map(({ id }) => id));
  const others = [...events.keys()].filter((id) => !accepted.has(id)).map((id) => `${id} ran, but was not accepted`);
  const wrong = jobs.flatMap((job) => {
    const own = (events.get(job.id) ?? []).map(({ event }) => event).join();
    const wanted = fails(job) ? 'start' : 'start,effect';
    return own === wanted ? [] : [`${job.id} has the events ${own || 'none'} instead of ${wanted}`];
  });
  return [...others, ...wrong];
}
