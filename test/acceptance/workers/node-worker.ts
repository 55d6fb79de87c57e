/**
 * A worker of this project's Node SDK, as its users write it. `do` in the input selects its action, for `ms`
 * milliseconds or until the file `until` exists.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Handler, optionalEnvironment, serve, type WorkerJob } from '../../../worker/sdk/serve.ts';

function log({ id, attempt, input }: WorkerJob, event: 'start' | 'effect'): void {
  const line = { job: id, attempt, pid: process.pid, event };
  if (input.log !== undefined) appendFileSync(String(input.log), `${JSON.stringify(line)}\n`);
}

const started = (file: unknown) => readFileSync(String(file), 'utf8').split('start').length - 1;
const milliseconds = ({ input }: WorkerJob) => Number(input.ms ?? 0);

/** Outputs for each value of `do`. Without `do`, the output contains the input. */
const ends: Readonly<Record<string, (job: WorkerJob) => unknown>> = {
  raise: () => {
    throw new Error('no such model');
  },
  error: () => ({ error: 'the prompt is empty', message: 'send a prompt' }),
  nothing: () => undefined,
  unserializable: () => 1n,
  large: ({ input }) => 'x'.repeat(Number(input.size)),
  refresh: (job) => {
    job.replaceWorker();
    return { done: true };
  },
  s3: ({ s3Config }) => createHash('sha256').update(String(s3Config?.accessSecret)).digest('hex'),
  effect: ({ attempt }) => ({ attempt, pid: process.pid }),
};

const isHeld = ({ input: { until } }: WorkerJob) => until !== undefined && !existsSync(String(until));

async function run(job: WorkerJob): Promise<unknown> {
  const { input, signal } = job;
  log(job, 'start');
  if (input.do === 'progress') await job.progress({ step: 1 });
  while (input.do === 'meet' && started(input.log) < 4) await delay(100);
  while (isHeld(job)) await delay(100, undefined, { signal });
  await delay(milliseconds(job), undefined, { signal });
  log(job, 'effect');
  const end = ends[String(input.do)];
  return end ? end(job) : { echo: input };
}

async function* stream(job: WorkerJob): AsyncGenerator {
  for (let n = 0; n < Number(job.input.chunks); n += 1) {
    if (n > 0) await delay(milliseconds(job), undefined, { signal: job.signal });
    while (n > 0 && isHeld(job)) await delay(100, undefined, { signal: job.signal });
    if (job.input.fail === n) throw new Error('the stream broke');
    yield { n };
  }
}

/** Blocks the event loop while it computes. */
function compute(job: WorkerJob): object {
  for (const end = Date.now() + milliseconds(job); Date.now() < end; );
  return { echo: job.input };
}

const handlers: Readonly<Record<string, Handler>> = { stream, compute };

await serve((job) => (handlers[String(job.input.do)] ?? run)(job), {
  aggregateStream: optionalEnvironment('AGGREGATE') === 'true',
});
