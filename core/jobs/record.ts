/** The job record that `/status` answers with, as JSON text: the output is pasted in as the worker sent it. */
import { jsonText } from '../json.ts';
import type { World } from '../world.ts';
import type { Job } from './job.ts';
import { load } from './payload.ts';

const TIMED_OUT_ERRORS = {
  QUEUE_TTL_EXPIRED: (job: Job) => `The job waited longer than its ttl of ${job.queueTtl} ms.`,
  EXECUTION_TIMEOUT: (job: Job) => `The job ran longer than its executionTimeout of ${job.executionTimeout} ms.`,
} as const;

async function errorOf(world: Pick<World, 'objects' | 'payloads'>, job: Job): Promise<string | undefined> {
  if (job.status === 'FAILED') return load(world, job, job.error);
  if (job.status === 'TIMED_OUT') return TIMED_OUT_ERRORS[job.code](job);
  return undefined;
}

/** Never below zero: the two ends of a span may come from two machines' clocks. */
const span = (from: number | undefined, to: number | undefined) =>
  from === undefined || to === undefined ? undefined : String(Math.max(0, to - from));

const quoted = (text: string | undefined) => (text === undefined ? undefined : JSON.stringify(text));

export async function recordOf(world: Pick<World, 'objects' | 'payloads'>, job: Job): Promise<string> {
  const startedAt = 'startedAt' in job ? job.startedAt : undefined;
  const finishedAt = 'finishedAt' in job ? job.finishedAt : undefined;
  const output = 'output' in job && job.output ? await load(world, job, job.output) : undefined;
  return jsonText({
    id: quoted(job.id),
    status: quoted(job.status),
    delayTime: span(job.queuedAt, startedAt ?? finishedAt),
    executionTime: span(startedAt, finishedAt),
    workerId: quoted('worker' in job ? job.worker : undefined),
    attempts: String(job.attempt),
    output,
    error: quoted(await errorOf(world, job)),
    code: 'code' in job ? quoted(job.code) : undefined,
  });
}
