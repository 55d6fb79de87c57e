/** `gpu-endpoints run`: submits a job, and waits for its end or prints its stream. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { call, segment } from './call.ts';
import { untilInterrupted } from './interrupt.ts';
import { codeOf, hasEnded, type JobRecord, printFailure, printOutput, progressOf } from './job.ts';
import { type CommonOptions, common, jsonFrom, serviceOf } from './options.ts';
import { printJson } from './print.ts';
import { createProgress } from './progress.ts';
import type { Service } from './service.ts';

/** Milliseconds for which one call waits for the end of the job, between two lines of progress. */
const LOOK = 3_000;

/** Milliseconds between two reads of a stream. */
const STREAM_PAUSE = 300;

interface RunOptions extends CommonOptions {
  readonly input: string;
  readonly policy?: string;
  readonly webhook?: string;
  readonly wait?: boolean;
  readonly stream?: boolean;
}

interface Accepted {
  readonly id: string;
  readonly status: string;
}

interface Job extends Accepted {
  readonly service: Service;
  readonly endpoint: string;
}

async function submit(endpoint: string, options: RunOptions): Promise<Job> {
  const service = serviceOf(options);
  const { input, policy, webhook } = options;
  const body = {
    input: await jsonFrom('--input', input),
    ...(policy !== undefined && { policy: await jsonFrom('--policy', policy) }),
    ...(webhook !== undefined && { webhook }),
  };
  // If the answer is lost and the call is repeated, the service returns the same job.
  const headers = { 'Idempotency-Key': randomUUID() };
  const path = `/${segment(endpoint)}/run`;
  return { service, endpoint, ...(await call<Accepted>(service, 'jobs', 'POST', path, { body, headers })) };
}

const pathOf = (operation: string, { endpoint, id }: Job) => `/${segment(endpoint)}/${operation}/${segment(id)}`;

/** Waits for the end of a job, and shows where it is. */
async function waitFor(job: Job, signal: AbortSignal): Promise<JobRecord> {
  const progress = createProgress();
  try {
    for (;;) {
      const record = await call<JobRecord>(job.service, 'jobs', 'GET', pathOf('status-sync', job), {
        query: { wait: LOOK },
        signal,
      });
      if (hasEnded(record)) return record;
      progress.show(progressOf(record), `${record.status} ${record.waitReason ?? ''}`);
    }
  } finally {
    progress.end();
  }
}

interface Chunk {
  readonly output: unknown;
}

const printChunk = ({ output }: Chunk) =>
  process.stdout.write(typeof output === 'string' ? output : `${JSON.stringify(output)}\n`);

/** Prints the chunks of a job until it ends. A job that starts again streams again from its first chunk. */
async function follow(job: Job, print: (chunk: Chunk) => void, signal: AbortSignal): Promise<JobRecord> {
  let [from, attempt] = [0, 0];
  for (;;) {
    const record = await call<JobRecord>(job.service, 'jobs', 'GET', pathOf('status', job), { signal });
    const { attempts = 0 } = record;
    if (from > 0 && attempts !== attempt && !hasEnded(record)) {
      console.error('\nThe worker was lost. The job starts again, and so does its stream.');
      from = 0;
    }
    attempt = attempts;
    // Read after the status: the stream of a job that has ended is complete.
    const chunks = await call<readonly Chunk[]>(job.service, 'jobs', 'GET', pathOf('stream', job), {
      query: { from },
      signal,
    });
    for (const chunk of chunks) print(chunk);
    from += chunks.length;
    if (hasEnded(record)) return record;
    await pause(STREAM_PAUSE, undefined, { signal });
  }
}

async function run(endpoint: string, options: RunOptions): Promise<void> {
  const job = await submit(endpoint, options);
  const { id } = job;
  if (!options.wait && !options.stream) {
    if (options.json) return printJson({ id, status: job.status });
    console.log(id);
    console.error(`Its state: npx gpu-endpoints jobs get ${id}`);
    return;
  }
  const goesOn = () =>
    `${id} goes on. Its state: npx gpu-endpoints jobs get ${id}, and to cancel it: npx gpu-endpoints jobs cancel ${id}`;
  await untilInterrupted(goesOn, async (signal) => {
    const record = options.stream
      ? await follow(job, options.json ? printJson : printChunk, signal)
      : await waitFor(job, signal);
    process.exitCode = codeOf(record);
    if (options.stream && !options.json) process.stdout.write('\n');
    if (options.json) {
      if (!options.stream) printJson(record);
    } else if (process.exitCode !== 0) printFailure(endpoint, record);
    else if (!options.stream && record.output !== undefined) printOutput(record.output);
  });
}

export function addRun(program: Command): void {
  common(
    program
      .command('run')
      .description('submit a job and print its id, or wait for its output')
      .argument('<endpoint>', 'id of the endpoint')
      .requiredOption('--input <json>', 'input of the job: JSON, @FILE, or - for the standard input')
      .option('--policy <json>', 'executionTimeout, ttl and lowPriority of the job, as JSON or @FILE')
      .option('--webhook <url>', 'public URL that receives the job when it ends')
      .addOption(
        new Option('--wait', 'wait for the end, show where the job is, and print its output').conflicts('stream'),
      )
      .option('--stream', 'print what the worker streams, until the job ends'),
    'POST /v2/ENDPOINT/run; with --wait GET /v2/ENDPOINT/status/JOB; with --stream each chunk in one line',
    `run chat --input '{"prompt": "Hello"}' --wait`,
  ).action(run);
}
