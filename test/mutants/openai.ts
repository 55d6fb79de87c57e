/** Calls of OpenAI clients: inputs, answers, errors, streams, and clients that leave. */
import type { Mutant } from './mutant.ts';

const INPUT = 'test/openai/input.test.ts';
const TEXT = 'test/openai/error-text.test.ts';
const EVENTS = 'test/openai/events.test.ts';
const INGRESS = 'test/ingress/openai.test.ts';

const result = 'core/openai/result.ts';
const answer = 'core/openai/answer.ts';
const events = 'core/openai/events.ts';
const respond = 'core/http/respond-openai.ts';

export const openAiMutants: readonly Mutant[] = [
  {
    name: 'a path below /openai may lead elsewhere',
    file: 'core/openai/input.ts',
    replace: "segment === '.' || segment === '..'",
    by: "segment === '.'",
    test: INPUT,
    named: 'refuses the path',
  },
  {
    name: 'a form never streams',
    file: 'core/openai/input.ts',
    replace: "mediaType === 'multipart/form-data' && (await formWantsStream(contentType, body))",
    by: 'false',
    test: INPUT,
    named: 'of a form streams',
  },
  {
    name: 'a text with the status of a server has the code of its body',
    file: 'core/openai/error-text.ts',
    replace: 'status: statusOf(prefixStatus(text.slice(0, start))) ?? found.status',
    by: 'status: found.status',
    test: TEXT,
    named: 'a status before its object',
  },
  {
    name: 'what is nested is read to its end',
    file: 'core/openai/literal.ts',
    replace: '    if (depth === bounds.depth) return this.#word();\n',
    by: '',
    test: TEXT,
    named: '100,000 times',
  },
  {
    name: 'an answer is the whole output',
    file: result,
    replace: "if (output[start] !== '['.charCodeAt(0)) return [output];",
    by: 'if (start >= 0) return [output];',
    test: INGRESS,
    named: 'the first element of a list',
  },
  {
    name: 'an error that a worker has returned is an answer',
    file: result,
    replace: '  assertAnswer(element);\n  return (await',
    by: '  return (await',
    test: INGRESS,
    named: 'that a worker has returned',
  },
  {
    name: "a server's error loses its status",
    file: result,
    replace: "const refusal = job.code === 'WORKER_ERROR' ? await refusalIn(world, job) : undefined;",
    by: 'const refusal = undefined;',
    test: INGRESS,
    named: 'has its status 422',
  },
  {
    name: 'a job that has failed is sent again by its client',
    file: respond,
    replace: 'error.isFinal ? neverAgain : {}',
    by: '{}',
    test: INGRESS,
    named: 'of a worker that has failed',
  },
  {
    name: 'a client that leaves lets its job run',
    file: answer,
    replace: 'if (idempotencyKey === undefined) await cancel(world, job);',
    by: 'if (idempotencyKey === undefined) await Promise.resolve(cancel);',
    test: INGRESS,
    named: 'ends its job',
  },
  {
    name: 'a client that may come back loses its job',
    file: answer,
    replace: 'if (idempotencyKey === undefined) await',
    by: 'if (idempotencyKey !== null) await',
    test: INGRESS,
    named: 'may come back',
  },
  {
    name: 'a stream keeps its slot',
    file: answer,
    replace: '    await release();\n    if (isAbandoned)',
    by: '    if (isAbandoned)',
    test: INGRESS,
    named: 'before the job has ended',
  },
  {
    name: 'one idempotency key stands for calls of all paths',
    file: answer,
    replace: 'claimed: input.text }',
    by: 'claimed: request.body }',
    test: INGRESS,
    named: 'refused with another path',
  },
  {
    name: 'a stream goes on with the chunks of another attempt',
    file: events,
    replace: "if (attempt !== undefined && (job.attempt !== attempt || job.status === 'IN_QUEUE')) throw lost(job.id);",
    by: '',
    test: INGRESS,
    named: 'whose job begins again',
  },
  {
    name: 'a call without a slot stores its job',
    file: answer,
    replace: '{ mayBeStored, admit: hold }',
    by: '{ mayBeStored }',
    test: 'test/openai/answer.test.ts',
    named: 'if no slot is free',
  },
  {
    name: 'a chunk that was cut comes in pieces',
    file: events,
    replace: 'if (parts === 1) return eventOf(output);',
    by: 'if (parts > 0) return eventOf(output);',
    test: INGRESS,
    named: 'of a chunk that was cut',
  },
  {
    name: 'a stream never ends with [DONE] of its own',
    file: 'core/http/events.ts',
    replace: 'if (!tail.isDone) yield Buffer.from(`${tail.separator}data: [DONE]\\n\\n`);',
    by: '',
    test: EVENTS,
    named: 'that ends with',
  },
  {
    name: 'a comment stands in the middle of a line',
    file: 'core/http/events.ts',
    replace: "    if (separator === '\\n\\n') return undefined;\n",
    by: '',
    test: EVENTS,
    named: 'that change no event',
  },
  {
    name: 'a stream without a reader goes on',
    file: 'core/http/events.ts',
    replace: '    void rest.return().catch(() => undefined);\n',
    by: '',
    test: EVENTS,
    named: 'when its reader leaves',
  },
  {
    name: 'an answer that takes long has its status after 20 s',
    file: respond,
    replace: 'return !notes.isStream && endsWithin(openAiLimits.headersAfter - HEADERS_AFTER, reply);',
    by: 'return false;',
    test: EVENTS,
    named: 'keeps the status of an answer',
  },
  {
    name: 'errors before the job have the shape of other operations',
    file: 'ingress/server.ts',
    replace: "operation === 'openai' ? openAiErrorResponse(exchange, error) : errorResponse(exchange, error)",
    by: 'errorResponse(exchange, error)',
    test: INGRESS,
    named: 'comes before the job',
  },
  {
    name: 'large bodies of /openai go to API Gateway',
    file: 'lib/front-door/choose-origin.js',
    replace: 'DIRECT_FROM[path[1] || path[2]]',
    by: 'DIRECT_FROM[path[1]]',
    test: 'test/lib/front-door/distribution.test.ts',
    named: '/openai of 10,000,000 bytes',
  },
];
