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
 * A handler streams by being a generator, or by `chunk`:
 *
 *     serve(async function* ({ input }) {
 *       for await (const token of model.generate(input.prompt)) yield token;
 *     });
 *
 * The worker takes one job at a time from the agent of its task, or as many as `concurrency` of the endpoint says, and
 * reports the value that the handler returns or the error that it throws. The handler runs in a process of its own for
 * each job at a time, the runner, which lives from job to job. The process that calls `serve` first is the supervisor:
 * it starts the same script again as the runner and only talks to the agent; the runner itself sends only chunks and
 * progress. So a job can be stopped whatever its handler does, and a crash of the handler costs one attempt of one job.
 * Code before `serve` runs in both processes, so load models in the handler.
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

/** Runs jobs until SIGTERM or SIGINT. A running job is finished and reported first. */
export async function serve(handler: Handler, options: ServeOptions = {}): Promise<void> {
  await (isRunner() ? runJobs(handler, options) : supervise(Number(optionalEnvironment('CONCURRENCY') ?? 1)));
}
