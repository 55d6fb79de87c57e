/** Mutants of calls of OpenAI clients: inputs, responses, errors, streams, and clients that disconnect. */
import { type Mutant, mutant } from './mutant.ts';

const INPUT = 'test/openai/input.test.ts';
const TEXT = 'test/openai/error-text.test.ts';
const EVENTS = 'test/openai/events.test.ts';
const INGRESS = 'test/ingress/openai.test.ts';

const answer = 'core/openai/answer.ts';
const events = 'core/openai/events.ts';
const respond = 'core/http/respond-openai.ts';

export const openAiMutants: readonly Mutant[] = [
  mutant('an endpoint can have a name that is reserved for paths')
    .remove('lib/endpoints/declaration.ts', '...reservedProblems(all), ')
    .killedBy('test/lib/endpoints/declaration.test.ts', 'cannot have the name pods, which is reserved'),
  mutant('a large body loses bytes in base64')
    .replace('core/openai/input.ts', 'const ENCODED_AT_ONCE = 3 * 65_536;', 'const ENCODED_AT_ONCE = 65_536;')
    .killedBy(INPUT, 'contains all bytes of a large body'),
  mutant('a part of a chunk in an item with other chunks counts as a chunk')
    .replace('core/streams/pack.ts', 'PART.exec(text.slice(outputEnd))', "PART.exec('')")
    .killedBy(INGRESS, 'has one event for a divided chunk'),
  mutant('the status in an error body overrides the status of the server')
    .replace(
      'core/openai/error-text.ts',
      'status: statusOf(prefixStatus(text.slice(0, start))) ?? found.status',
      'status: found.status',
    )
    .killedBy(TEXT, 'a status in front of its object'),
  mutant('the response is the whole output')
    .replace('core/openai/elements.ts', 'if (output[start] !== ARRAY) {', 'if (start >= 0) {')
    .killedBy(INGRESS, 'the first element of a list'),
  mutant('the client of a failed job repeats its request')
    .replace(respond, 'error.status, error.isFinal)', 'error.status, false)')
    .killedBy(INGRESS, 'of a failed worker'),
  mutant('the job of a disconnected client continues')
    .replace(
      answer,
      'if (idempotencyKey === undefined) await cancel(ports, job);',
      'if (idempotencyKey === undefined) await Promise.resolve(cancel);',
    )
    .killedBy(INGRESS, 'cancels its job (and frees|in the middle)'),
  mutant('the job of a disconnected client is cancelled despite its idempotency key')
    .replace(answer, 'if (idempotencyKey === undefined) await', 'if (idempotencyKey !== null) await')
    .killedBy(INGRESS, 'can repeat its request'),
  mutant('a waiting call of /openai keeps its body')
    .remove(answer, '    request.body = NO_BODY;\n')
    .killedBy('test/ingress/bodies.test.ts', 'while it waits: forgets-plain'),
  mutant('a client that disconnects at the last event cancels its job')
    .replace(answer, 'if (isAbandoned && !isAnswered)', 'if (isAbandoned)')
    .killedBy('test/openai/answer.test.ts', 'disconnects at the last event'),
  mutant('a client repeats a call whose job might run')
    .replace(respond, "code === 'IDEMPOTENCY_CONFLICT' || mayRun", "code === 'IDEMPOTENCY_CONFLICT'")
    .killedBy(EVENTS, 'if its job may run'),
  mutant('a stream keeps its slot after its first event')
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
  mutant('the parts of a chunk are sent separately')
    .replace('core/openai/parts.ts', 'if (parts === 1) return', 'if (parts > 0) return')
    .killedBy(INGRESS, 'that was stored in parts'),
  mutant('a stream without a reader continues')
    .remove('core/http/events.ts', '    void rest.return().catch(() => undefined);\n')
    .killedBy(EVENTS, 'when its reader disconnects'),
  mutant('large bodies of /openai are sent to API Gateway')
    .replace('lib/front-door/choose-origin.js', 'MIN_DIRECT_BYTES[path[1] || path[2]]', 'MIN_DIRECT_BYTES[path[1]]')
    .killedBy('test/lib/front-door/distribution.test.ts', '/openai of 10,000,000 bytes'),
];
