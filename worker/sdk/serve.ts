/**
 * The worker SDK. A worker is a process that calls `serve` with a handler:
 *
 *     import { serve } from 'gpu-endpoints/worker';
 *
 *     let model;
 *     serve(async ({ input, signal }) => {
 *       model ??= await loadModel();
 *       return { answer: await model.generate(input.prompt, { signal }) };
 *     });
 *
 * A handler streams if it is a generator, or if it calls `chunk`:
 *
 *     serve(async function* ({ input }) {
 *       for await (const token of model.generate(input.prompt)) yield token;
 *     });
 *
 * The worker takes one job at a time from the agent of its task, or several if the endpoint sets `concurrency`.
 * It reports the value that the handler returns or the error that it throws. The handler runs in a separate
 * process, the runner, which is reused for the next job. Jobs that run at the same time have a runner each. The
 * process that first calls `serve` is the supervisor: it starts the same script again as the runner and
 * communicates with the agent. The runner sends only chunks and progress to the agent. So a job can be stopped
 * whatever its handler does, and a crash of the handler costs one attempt of one job. Code before `serve` runs in
 * both processes, so load models in the handler.
 */
import { optionalEnvironment } from '../../aws/environment.ts';
import type { Handler, ServeOptions } from './handler.ts';
import { isRunner, runJobs } from './runner.ts';
import { supervise } from './supervisor.ts';

export {
  type ChunkMetrics,
  type Handler,
  rawJson,
  type S3Config,
  type ServeOptions,
  type WorkerJob,
} from './handler.ts';
export { optionalEnvironment };

/** Runs jobs until SIGTERM or SIGINT. Running jobs are finished and reported first. */
export async function serve(handler: Handler, options: ServeOptions = {}): Promise<void> {
  await (isRunner() ? runJobs(handler, options) : supervise(Number(optionalEnvironment('CONCURRENCY') ?? 1)));
}
