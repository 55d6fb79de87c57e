/** Operations that read a job, its input and its output. */
import { SECOND, ttlLimits, waitLimits } from '../limits.ts';
import { anyObject, reference } from '../openapi/schema.ts';
import { indexLimits } from '../requests/validation.ts';
import { BUFFERED, type OperationDefinitions, type Parameter } from './operation.ts';
import { jobCodes, wait } from './parameters.ts';

const from: Parameter = {
  name: 'from',
  in: 'query',
  description: 'Number of the first chunk to return.',
  schema: { type: 'integer', minimum: indexLimits.min, maximum: indexLimits.max, default: 0 },
};

const drainWait: Parameter = {
  ...wait,
  description: 'Maximum time to wait for a chunk if the response is a `Drain`, in milliseconds.',
  schema: { type: 'integer', minimum: waitLimits.min, maximum: waitLimits.max },
};

const ttl: Parameter = {
  name: 'ttl',
  in: 'query',
  description:
    'Shortens the retention of the result to this time from now or from the end of the job, in milliseconds.',
  schema: { type: 'integer', minimum: ttlLimits.min, maximum: ttlLimits.max },
};

const timeline: Parameter = {
  name: 'timeline',
  in: 'query',
  description: "Whether the record has the stages of the job's wait.",
  schema: { type: 'boolean', default: false },
};

export const results = {
  status: {
    methods: ['GET', 'POST'],
    path: '/{endpoint}/status/{job}',
    limit: { per10Seconds: 2000 },
    streamed: true,
    role: 'viewer',
    keyText: "Read a job's status and output",
    lambda: { id: 'Status', handler: 'lambda/jobs/status.ts', does: 'reads a job.' },
    tag: 'Jobs',
    summary: 'Reads a job',
    parameters: [ttl, timeline],
    answer: reference('JobRecord'),
    codes: jobCodes,
  },
  input: {
    methods: ['GET'],
    path: '/{endpoint}/input/{job}',
    limit: { per10Seconds: 100 },
    streamed: true,
    role: 'viewer',
    keyText: "Read a job's input",
    lambda: { id: 'Input', handler: 'lambda/jobs/input.ts', does: 'reads the input of a job.' },
    tag: 'Jobs',
    summary: 'Reads the input of a job',
    answer: anyObject('The `input` that the client sent, byte for byte.'),
    codes: jobCodes,
  },
  'status-sync': {
    methods: ['GET', 'POST'],
    path: '/{endpoint}/status-sync/{job}',
    limit: { per10Seconds: 2000, concurrent: 400 },
    streamed: true,
    waits: true,
    role: 'viewer',
    keyText: "Wait for a job's result",
    lambda: {
      id: 'StatusSync',
      handler: 'lambda/jobs/status-sync.ts',
      does: 'waits until a job ends, and reads it.',
      timeout: waitLimits.max + BUFFERED,
    },
    tag: 'Jobs',
    summary: 'Waits for the end of a job and reads it',
    parameters: [wait],
    answer: reference('JobRecord'),
    codes: jobCodes,
  },
  stream: {
    methods: ['GET', 'POST'],
    path: '/{endpoint}/stream/{job}',
    limit: { per10Seconds: 2000, concurrent: 400 },
    streamed: true,
    waits: true,
    role: 'viewer',
    keyText: "Read a job's output while it runs",
    lambda: {
      id: 'Stream',
      handler: 'lambda/jobs/stream.ts',
      does: 'reads the stream of a job.',
      // A client reads up to 200 MB, at 2 MB/s after the first 10 MB.
      timeout: 120 * SECOND,
    },
    tag: 'Jobs',
    summary: 'Reads the chunks that a job has streamed',
    parameters: [from, drainWait],
    answer: { oneOf: [{ type: 'array', items: reference('Chunk') }, reference('Drain')] },
    codes: jobCodes,
  },
} satisfies OperationDefinitions;
