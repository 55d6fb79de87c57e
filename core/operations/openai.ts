/** The operation for OpenAI's clients. */
import { openAiLimits, payloadLimits } from '../limits.ts';
import { anyObject, anything, reference } from '../openapi/schema.ts';
import { BUFFERED, type OperationDefinitions } from './operation.ts';
import { callCodes, idempotencyKey, traceparent } from './parameters.ts';

export const openai = {
  openai: {
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    path: '/{endpoint}/openai/{path+}',
    limit: { per10Seconds: 2000, concurrent: 400 },
    streamed: true,
    anyHeader: true,
    waits: true,
    minDirectBytes: 10_000_000,
    role: 'operator',
    keyText: "Call the worker's OpenAI routes",
    lambda: {
      id: 'OpenAi',
      handler: 'lambda/jobs/openai.ts',
      does: 'runs a call from an OpenAI client.',
      timeout: openAiLimits.wait + BUFFERED,
    },
    tag: 'OpenAI',
    summary: 'Runs an OpenAI API call as a job',
    parameters: [idempotencyKey, traceparent],
    body: anyObject('Passed to the worker byte for byte. With `"stream": true` the response is an event stream.'),
    maxBytes: payloadLimits.body.runsync,
    example: { model: 'my-model', messages: [{ role: 'user', content: 'Hello' }] },
    bodyTypes: { 'multipart/form-data': anyObject('Passed to the worker byte for byte.') },
    submits: true,
    answer: anything('Response of the worker.'),
    answerTypes: {
      'text/event-stream': { type: 'string', description: 'Events as the worker streams them, up to `[DONE]`.' },
      '*/*': { type: 'string', format: 'binary', description: 'A response that is not JSON, such as audio.' },
    },
    error: reference('OpenAiError'),
    codes: callCodes,
  },
} satisfies OperationDefinitions;
