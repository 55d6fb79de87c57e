/** The example worker: `input.op` chooses what it does. Without one, the output is the input. */
import { setTimeout as delay } from 'node:timers/promises';
import { rawJson, serve, type WorkerJob } from '../../worker/serve.ts';

const operations: Readonly<Record<string, (job: WorkerJob) => unknown>> = {
  echo: ({ inputText }) => rawJson(inputText),

  sleep: async ({ input }) => {
    await delay(Number(input.ms ?? 1_000));
    return { slept: input.ms };
  },

  fail: ({ input }) => {
    throw new Error(String(input.message ?? 'The input asked for a failure.'));
  },
};

await serve((job) => {
  const op = String(job.input.op ?? 'echo');
  const operation = Object.hasOwn(operations, op) ? operations[op] : undefined;
  if (!operation) throw new Error(`\`op\` must be one of ${Object.keys(operations).join(', ')}, got ${op}.`);
  return operation(job);
});
