/** Runs jobs in the process of the handler. `runner-process.ts` is the supervisor's side of it. */
import { Worker } from 'node:worker_threads';
import { optionalEnvironment } from '../../aws/environment.ts';
import { jsonText } from '../../core/json/json.ts';
import { createAgentClient, type TakenJob } from './agent-client.ts';
import { type Handler, outputText, type S3Config, type ServeOptions, type WorkerJob } from './handler.ts';
import { labelConsole } from './job-console.ts';
import { type ChunkSender, createChunkSender, outputOf } from './streaming.ts';

/**
 * Marks a process as the runner. Child processes of a handler inherit the mark, but have no channel to a
 * supervisor.
 */
export const RUNNER = 'GPU_ENDPOINTS_RUNNER';
/** The runner's end of a pipe that closes when its supervisor exits. */
export const LIFELINE = 4;

/** A message to the runner: a job, or the request to stop the current job. */
export type Order = ({ readonly type: 'run' } & TakenJob) | { readonly type: 'stop'; readonly id: string };

/** A message from the runner: its handler is loaded, or the outcome of a job, as the body of `job-done`. */
export type Notice =
  | { readonly type: 'ready' }
  | { readonly type: 'done'; readonly id: string; readonly report: string };

export const isRunner = (): boolean => optionalEnvironment(RUNNER) !== undefined && process.send !== undefined;

/**
 * Kills the runner and all its child processes when its supervisor is gone, because another worker soon gets the
 * job. A thread watches for that, because a handler may block the event loop for any length of time.
 */
function endWithSupervisor(): void {
  const watch = `
    const { Socket } = require('node:net');
    new Socket({ fd: ${LIFELINE} }).on('close', () => process.kill(-process.pid, 'SIGKILL')).resume();
  `;
  new Worker(watch, { eval: true }).unref();
}

/**
 * Runs the handler, and returns how the job ended.
 * @returns the members of the body of `job-done`, as JSON strings
 */
async function reportOf(handler: Handler, job: WorkerJob, chunks: ChunkSender, options: ServeOptions) {
  try {
    const output = await outputOf(handler, job, options);
    await chunks.all();
    return { output };
  } catch (error) {
    if (!job.signal.aborted) console.error(error);
    const message = error instanceof Error ? error.message : String(error);
    return { error: JSON.stringify(message || 'The handler failed without a message.') };
  }
}

/** Runs the jobs that the supervisor sends, until the supervisor kills this process. */
export async function runJobs(handler: Handler, options: ServeOptions): Promise<never> {
  const agent = createAgentClient();
  let running: { readonly id: string; readonly stopping: AbortController } | undefined;
  const notify = (notice: Notice) => process.send?.(notice);
  labelConsole(() => running?.id);

  async function run({ id, attempt, inputText, s3ConfigText, traceparent }: TakenJob): Promise<void> {
    const stopping = new AbortController();
    running = { id, stopping };
    const input = JSON.parse(inputText) as WorkerJob['input'];
    const chunks = createChunkSender((body) => agent.chunk(id, body, stopping.signal));
    const s3Config = s3ConfigText === undefined ? undefined : (JSON.parse(s3ConfigText) as S3Config);
    let stopPod: string | undefined;
    const job: WorkerJob = {
      id,
      attempt,
      input,
      inputText,
      signal: stopping.signal,
      chunk: chunks.send,
      ...(s3Config && { s3Config }),
      ...(traceparent !== undefined && { traceparent }),
      progress: (output) => agent.progress(id, jsonText({ status: '"IN_PROGRESS"', output: outputText(output) })),
      replaceWorker() {
        stopPod = 'true';
      },
    };
    const report = jsonText({ ...(await reportOf(handler, job, chunks, options)), stopPod });
    running = undefined;
    notify({ type: 'done', id, report });
  }

  process.on('message', (order: Order) => {
    if (order.type === 'run') void run(order);
    else if (running?.id === order.id) running.stopping.abort();
  });
  notify({ type: 'ready' });
  endWithSupervisor();
  return new Promise(() => undefined);
}
