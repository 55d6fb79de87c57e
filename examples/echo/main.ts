/**
 * The example worker: `input.op` selects the operation. Without `op`, the output is the input. For a call from an
 * OpenAI client, `op` is in the body.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ChunkMetrics,
  type Handler,
  optionalEnvironment,
  rawJson,
  serve,
  type WorkerJob,
} from 'gpu-endpoints/worker';

/**
 * Log file for tests that cause crashes. The worker appends a line of JSON at every start of a handler, and at every
 * effect, right before the handler returns. Each line is a single write to the end of the file, so that lines are
 * complete.
 */
const effectsLog = optionalEnvironment('EFFECTS_LOG');

function logEffect({ id, attempt }: WorkerJob, event: 'start' | 'effect'): void {
  const line = { job: id, attempt, pid: process.pid, event, at: Date.now() };
  if (effectsLog) appendFileSync(effectsLog, `${JSON.stringify(line)}\n`);
}

/** Returns a string of `size` bytes in JSON, including the quotes. */
const textOf = (size: number) => 'x'.repeat(Math.max(0, size - 2));

/** Milliseconds between two looks for a file. */
const LOOK = 100;

/** Waits for `ms`, and then until the file `until` exists, with which a test ends the wait. */
async function pause({ input: { ms, until } }: WorkerJob, standard: number, signal?: AbortSignal): Promise<void> {
  await delay(Number(ms ?? standard), undefined, { signal });
  while (until !== undefined && !existsSync(String(until))) await delay(LOOK, undefined, { signal });
}

/** Functions that return an array or an object of `size` bytes in JSON. */
const shapes: Readonly<Record<string, (size: number) => unknown>> = {
  array: (size) => [textOf(Math.ceil(size / 2) - 2), textOf(Math.floor(size / 2) - 1)],
  object: (size) => ({ a: textOf(size - '{"a":}'.length) }),
};

const operations: Readonly<Record<string, Handler>> = {
  echo: ({ inputText }) => rawJson(inputText),

  /** Sleeps for `ms` and until the file `until` exists, or until the job must stop, unless it is `deaf`. */
  sleep: async (job) => {
    const { input, signal } = job;
    await pause(job, 1_000, input.deaf === true ? undefined : signal);
    return { slept: input.ms };
  },

  /** Computes for `ms`, which blocks the event loop. */
  busy: ({ input }) => {
    for (const end = Date.now() + Number(input.ms ?? 1_000); Date.now() < end; );
    return { computed: input.ms };
  },

  /**
   * Waits for `ms` and ignores stop signals. `ms` is a number, or a list with a number for each attempt. Returns the
   * attempt, the process id and a string of `size` characters.
   */
  effect: async ({ input, attempt }) => {
    const times = [input.ms ?? 0].flat();
    await delay(Number(times[attempt - 1] ?? times.at(-1)));
    return { attempt, pid: process.pid, ballast: 'x'.repeat(Number(input.size ?? 0)) };
  },

  fail: ({ input }) => {
    throw new Error(String(input.message ?? 'The input requested a failure.'));
  },

  /**
   * Streams `chunks` chunks of `size` bytes: strings, or values of the shape in `as`. They are `ms` apart, and all but
   * the first follow when the file `until` exists.
   */
  stream: async function* (job) {
    const { input, signal } = job;
    for (let n = 0; n < Number(input.chunks ?? 3); n += 1) {
      if (n > 0) await pause(job, 0, signal);
      yield shapes[String(input.as)]?.(Number(input.size)) ?? textOf(Number(input.size ?? 10));
    }
  },

  /** Streams each of the `values`, waits for `ms`, and returns the values if `aggregate` is true. */
  say: async function* ({ input, signal }) {
    const values = [input.values ?? []].flat();
    yield* values;
    await delay(Number(input.ms ?? 0), undefined, { signal });
    return input.aggregate === true ? values : undefined;
  },

  /** Streams its progress `steps` times, with `metrics`. */
  progress: async ({ input, chunk }) => {
    const steps = Number(input.steps ?? 3);
    for (let step = 1; step <= steps; step += 1)
      await chunk({ step, steps }, input.metrics as ChunkMetrics | undefined);
    return { steps };
  },

  /** Prints each of the `lines`. */
  print: ({ input }) => {
    for (const line of [input.lines ?? []].flat()) console.log(line);
  },

  /** Returns the names of the fields of `s3Config`, and a digest that proves the secret without revealing it. */
  s3: ({ s3Config = {} }) => ({
    fields: Object.keys(s3Config),
    digest: createHash('sha256').update(String(s3Config.accessSecret)).digest('hex'),
  }),

  /** Returns an output of `size` bytes. */
  bytes: ({ input }) => textOf(Number(input.size ?? 10)),

  /** Exits with `code`, or as if the process had run out of memory, on the first `attempts` starts of the job. */
  crash: ({ input, attempt }) => {
    if (attempt > Number(input.attempts ?? Number.POSITIVE_INFINITY)) return { survived: attempt };
    if (input.code !== undefined) process.exit(Number(input.code));
    process.kill(process.pid, 'SIGKILL');
    // The signal might arrive a moment later.
    return new Promise(() => undefined);
  },
};

const isStream = (output: unknown): output is AsyncGenerator =>
  typeof output === 'object' && output !== null && Symbol.asyncIterator in output;

async function* thenEffect(stream: AsyncGenerator, job: WorkerJob): AsyncGenerator {
  const output: unknown = yield* stream;
  logEffect(job, 'effect');
  return output;
}

await serve(async (given) => {
  const job = { ...given, input: (given.input.openai_input ?? given.input) as WorkerJob['input'] };
  logEffect(job, 'start');
  const op = String(job.input.op ?? 'echo');
  const operation = Object.hasOwn(operations, op) ? operations[op] : undefined;
  if (!operation) throw new Error(`\`op\` must be one of ${Object.keys(operations).join(', ')}, got ${op}.`);
  const output = await operation(job);
  if (isStream(output)) return thenEffect(output, job);
  logEffect(job, 'effect');
  return output;
});
