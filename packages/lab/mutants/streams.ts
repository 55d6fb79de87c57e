/** Mutants of streams, and of what a repeated call of `/openai` does. */
import { type Mutant, mutant } from './mutant.ts';

export const streamMutants: readonly Mutant[] = [
  mutant('an idempotency key is shared by calls of all paths')
    .replace('core/openai/answer.ts', 'identity: input.text }', 'identity: request.body }')
    .killedBy('test/ingress/openai.test.ts', 'refused with another path'),
  mutant('the job of a disconnected client is cancelled despite its idempotency key')
    .replace('core/openai/answer.ts', 'if (idempotencyKey === undefined) await', 'if (idempotencyKey !== null) await')
    .killedBy('test/ingress/openai.test.ts', 'can repeat its request'),
  mutant('a stream continues with the chunks of another attempt')
    .remove(
      'core/openai/events.ts',
      "if (attempt !== undefined && (job.attempt !== attempt || job.status === 'IN_QUEUE')) throw lost(job.id);",
    )
    .killedBy('test/ingress/openai.test.ts', 'begins again after the first event'),
  mutant('the position of a stream is stored before its chunks are sent')
    .replace(
      'core/streams/stream.ts',
      '  const { rest, next } = yield* joined(`{',
      '  const all = await Array.fromAsync(chunks);\n  if (storesPosition) await ports.drains.set(job, job.attempt, all.length, job.removeAfter);\n  chunks = (async function* () { yield* all; })();\n  const { rest, next } = yield* joined(`{',
    )
    .killedBy('test/streams/drain.test.ts', 'for a reader that was disconnected'),
  mutant('a slow reader resets the position of a stream')
    .replace(
      'aws/streams/drains.ts',
      "and(compare('attempt', '=', attempt), compare('given', '<', next))",
      "compare('attempt', '=', attempt)",
    )
    .killedBy('test/streams/drain.test.ts', 'slow reader'),
];
