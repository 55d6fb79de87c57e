/** Breaks of calls of OpenAI clients: inputs, responses, errors, streams, and clients that disconnect. */
import { type Mutant, mutant } from './mutant.ts';

const INPUT = 'test/openai/input.test.ts';
const TEXT = 'test/openai/error-text.test.ts';
const EVENTS = 'test/openai/events.test.ts';
const INGRESS = 'test/ingress/openai.test.ts';

const result = 'core/openai/result.ts';
const answer = 'core/openai/answer.ts';
const events = 'core/openai/events.ts';
const respond = 'core/http/respond-openai.ts';

export const openAiMutants: readonly Mutant[] = [
  mutant('an endpoint may have the name of the stage')
    .remove('lib/endpoints/declaration.ts', '...stageProblems(declarations), ')
    .killedBy('test/lib/endpoints/declaration.test.ts', 'cannot have the name v2.yaml'),
  mutant('a large body loses bytes in base64')
    .replace('core/openai/input.ts', 'const ENCODED_AT_ONCE = 3 * 16_384;', 'const ENCODED_AT_ONCE = 16_384;')
    .killedBy(INPUT, 'contains all bytes of a large body'),
  mutant('a part of a chunk among others in an item is a chunk')
    .replace('core/streams/pack.ts', 'PART.exec(text.slice(outputEnd))', "PART.exec('')")
    .killedBy(INGRESS, 'has one event for a chunk that was cut'),
  mutant('a text with the status of a server has the code of its body')
    .replace(
      'core/openai/error-text.ts',
      'status: statusOf(prefixStatus(text.slice(0, start))) ?? found.status',
      'status: found.status',
    )
    .killedBy(TEXT, 'a status in front of its object'),
  mutant('an answer is the whole output')
    .replace(result, "if (output[start] !== '['.charCodeAt(0)) return [output];", 'if (start >= 0) return [output];')
    .killedBy(INGRESS, 'the first element of a list'),
  mutant('a job that has failed is sent again by its client')
    .replace(respond, 'error.isFinal ? neverAgain : {}', '{}')
    .killedBy(INGRESS, 'of a worker that has failed'),
  mutant('the job of a disconnected client continues')
    .replace(
      answer,
      'if (idempotencyKey === undefined) await cancel(ports, job);',
      'if (idempotencyKey === undefined) await Promise.resolve(cancel);',
    )
    .killedBy(INGRESS, 'ends its job'),
  mutant('the job of a client that may return is cancelled')
    .replace(answer, 'if (idempotencyKey === undefined) await', 'if (idempotencyKey !== null) await')
    .killedBy(INGRESS, 'may repeat its request'),
  mutant('a call of /openai that waits keeps its body')
    .remove(answer, '    request.body = NO_BODY;\n')
    .killedBy('test/ingress/bodies.test.ts', 'while it waits: forgets-plain'),
  mutant('a client that closes at the last event ends its job')
    .replace(answer, 'if (isAbandoned && !isAnswered)', 'if (isAbandoned)')
    .killedBy('test/openai/answer.test.ts', 'disconnects at the last event'),
  mutant('a call whose job may run is sent again')
    .replace(respond, "code === 'IDEMPOTENCY_CONFLICT' || mayRun", "code === 'IDEMPOTENCY_CONFLICT'")
    .killedBy(EVENTS, 'if its job may run'),
  mutant('a stream keeps its slot')
    .replace(answer, '    await release();\n    if (isAbandoned && ', '    if (isAbandoned && ')
    .killedBy(INGRESS, 'before the job has ended'),
  mutant('an idempotency key is shared by calls of all paths')
    .replace(answer, 'identity: input.text }', 'identity: request.body }')
    .killedBy(INGRESS, 'refused with another path'),
  mutant('a stream continues with the chunks of another attempt')
    .remove(
      events,
      "if (attempt !== undefined && (job.attempt !== attempt || job.status === 'IN_QUEUE')) throw lost(job.id);",
    )
    .killedBy(INGRESS, 'begins again after the first event'),
  mutant('a call without a slot stores its job')
    .replace(answer, '{ mayBeStored, admit: hold }', '{ mayBeStored }')
    .killedBy('test/openai/answer.test.ts', 'if no slot is free'),
  mutant('the parts of a chunk are sent apart')
    .replace(events, 'if (parts === 1) return eventOf(output);', 'if (parts > 0) return eventOf(output);')
    .killedBy(INGRESS, 'that was stored in parts'),
  mutant('a stream without a reader continues')
    .remove('core/http/events.ts', '    void rest.return().catch(() => undefined);\n')
    .killedBy(EVENTS, 'when its reader disconnects'),
  mutant('large bodies of /openai are sent to API Gateway')
    .replace('lib/front-door/choose-origin.js', 'DIRECT_FROM[path[1] || path[2]]', 'DIRECT_FROM[path[1]]')
    .killedBy('test/lib/front-door/distribution.test.ts', '/openai of 10,000,000 bytes'),
];
