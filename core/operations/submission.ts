/** Operations that accept a job. */
import { payloadLimits, waitLimits } from '../limits.ts';
import { reference } from '../openapi/schema.ts';
import { BUFFERED, type OperationDefinitions } from './operation.ts';
import { callCodes, endpointCodes, idempotencyKey, traceparent, wait } from './parameters.ts';

export const submission = {
  run: {
    methods: ['POST'],
    path: '/{endpoint}/run',
    limit: { per10Seconds: 1000 },
    minDirectBytes: 3_000_000,
    role: 'operator',
    keyText: 'Submit a job',
    lambda: { id: 'Run', handler: 'lambda/jobs/run.ts', does: 'accepts a job.' },
    tag: 'Jobs',
    summary: 'Accepts a job and responds immediately',
    parameters: [idempotencyKey, traceparent],
    body: reference('Submission'),
    maxBytes: payloadLimits.body.run,
    example: { input: { text: 'hello' }, policy: { executionTimeout: 60_000 } },
    submits: true,
    answer: reference('Acknowledgement'),
    codes: [...endpointCodes, 'REQUEST_TIMEOUT', 'IDEMPOTENCY_CONFLICT', 'QUEUE_FULL', 'BUDGET_SPENT'],
  },
  runsync: {
    methods: ['POST'],
    path: '/{endpoint}/runsync',
    limit: { per10Seconds: 2000, concurrent: 400 },
    streamed: true,
    waits: true,
    minDirectBytes: 10_000_000,
    role: 'operator',
    keyText: 'Submit a job and wait for its result',
    lambda: {
      id: 'RunSync',
      handler: 'lambda/jobs/runsync.ts',
      does: 'accepts a job and waits until it ends.',
      timeout: waitLimits.max + BUFFERED,
    },
    tag: 'Jobs',
    summary: 'Accepts a job and waits for its end',
    parameters: [wait, idempotencyKey, traceparent],
    body: reference('Submission'),
    maxBytes: payloadLimits.body.runsync,
    example: { input: { text: 'hello' } },
    submits: true,
    answer: reference('JobRecord'),
    codes: callCodes,
  },
} satisfies OperationDefinitions;
