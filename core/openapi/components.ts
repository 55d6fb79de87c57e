/** The shapes of both interfaces by name. Those of requests are made of the schemas that check them. */
import * as z from 'zod/mini';
import { jobStatuses } from '../jobs/job.ts';
import { logLimits, policyLimits, webhookUrlLimits } from '../limits.ts';
import { LONGEST_SCENARIO, metricFields } from '../streams/metrics.ts';
import { policySchema, s3ConfigSchema } from '../submission/request.ts';
import { errorStatuses } from './codes.ts';
import { healthSchema } from './health.ts';
import { jobRecordSchemas } from './job-record.ts';
import { anything, count, record, reference, type Schema, text } from './schema.ts';

const id = text('Names the job.');
const completion = count('Which end of the job it reports: how often the job had been retried by then.');
const webhookId = text('The header `webhook-id` of each try.');

function policy(): Schema {
  const { $schema: _, properties = {}, ...rest } = z.toJSONSchema(policySchema, { io: 'input' });
  const executionTimeout = { default: policyLimits.executionTimeout.default, description: 'Longest run in ms.' };
  const ttl = { default: policyLimits.ttl.default, description: 'Longest wait in the queue in ms.' };
  const lowPriority = { default: false, description: 'Such a job starts no worker.' };
  const described: Record<string, Schema> = { executionTimeout, ttl, lowPriority };
  const merged = Object.entries(properties).map(([name, schema]) => [name, { ...Object(schema), ...described[name] }]);
  return { ...rest, properties: Object.fromEntries(merged) };
}

function s3Config(): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(s3ConfigSchema, { io: 'input' });
  return {
    ...schema,
    writeOnly: true,
    description: 'A storage for the worker: in no answer. Further members reach it too.',
  };
}

const webhook = (): Schema => ({
  type: 'string',
  format: 'uri',
  maxLength: webhookUrlLimits.characters,
  writeOnly: true,
  description: 'URL that gets a POST with the job record when the job ends.',
});

const metrics = Object.fromEntries(
  Object.entries(metricFields).map(([name, type]) => [
    name,
    { type, ...(type === 'string' && { maxLength: LONGEST_SCENARIO }) },
  ]),
);

const openAiProblem = {
  message: text('A sentence, which may change.'),
  type: text('Such as `invalid_request_error`, or as the server of the worker calls it.'),
  param: { type: ['string', 'null'], description: 'The parameter that is wrong, if one is.' },
  code: { type: ['string', 'integer', 'null'], description: 'A code of this interface, or that of the server.' },
};

/** The shape of errors of calls of OpenAI clients. An error of the worker's own server has the shape that the server gives it. */
const openAiErrorSchema: Schema = record({ error: record(openAiProblem) });

export const jobSchemas: Readonly<Record<string, Schema>> = {
  Submission: {
    type: 'object',
    description: 'A job. Unknown members are ignored.',
    properties: {
      input: { type: 'object', description: 'Handed to the worker byte for byte.' },
      policy: reference('Policy'),
      s3Config: reference('S3Config'),
      webhook: webhook(),
    },
    required: ['input'],
  },
  Policy: policy(),
  S3Config: s3Config(),
  Acknowledgement: record({ id, status: { type: 'string', enum: jobStatuses } }),
  ...jobRecordSchemas,
  Chunk: {
    ...record(
      {
        output: anything('What the worker streamed, or a piece of it.'),
        metrics: reference('Metrics'),
        part: count(
          'Number of the part, from 1, of an output that was cut as text: the outputs of all parts are strings.',
        ),
        parts: count('Number of parts. Their strings, one after the other, are the JSON text of the output.'),
      },
      ['part', 'parts'],
    ),
    description:
      'At most 1 MB of JSON text. A larger output comes in several chunks: a string as strings, an array as arrays, anything else as parts.',
  },
  Drain: {
    ...record({ status: { type: 'string', enum: jobStatuses }, stream: { type: 'array', items: reference('Chunk') } }),
    description:
      'The chunks that no call has returned yet: of an endpoint with `streamEnvelope`, or to a client of RunPod, which its `User-Agent` shows.',
  },
  JobList: record(
    {
      requests: { type: 'array', items: reference('JobSummary'), description: 'The newest first.' },
      nextCursor: text('Cursor of the next page; absent on the last page.'),
    },
    ['nextCursor'],
  ),
  JobLog: record(
    {
      id,
      status: { type: 'string', enum: jobStatuses },
      attempts: count('How often the job was started; the lines are those of the last start.'),
      workerId: text('The worker that printed the lines; absent if no worker has the job, or had it at its end.'),
      lines: { type: 'array', items: reference('LogLine'), description: 'The oldest first.' },
      nextCursor: text(
        'Cursor of the lines that follow, now or later; absent after the last line of a job that has ended.',
      ),
    },
    ['workerId', 'nextCursor'],
  ),
  LogLine: record(
    {
      time: text('When it was printed.', { format: 'date-time' }),
      source: text('The container: the one with the handler, or the agent beside it.', { enum: ['worker', 'agent'] }),
      chosenBy: text('Whether the line says whose it is, or was printed while the worker had no other job.', {
        enum: ['JOB_ID', 'TIME'],
      }),
      message: text('The line; of a giant one the beginning.', { maxLength: logLimits.message }),
      truncated: { const: true, description: 'There if the line is longer.' },
    },
    ['truncated'],
  ),
  Metrics: record(
    { stream_index: count('The number of the chunk, from 0.'), ...metrics },
    Object.keys(metrics).filter((name) => name !== 'running'),
  ),
  Health: healthSchema,
  WebhookList: record(
    {
      webhooks: { type: 'array', items: reference('FailedWebhook'), description: 'The newest failure first.' },
      nextCursor: text('Cursor of the next page; absent on the last page.'),
    },
    ['nextCursor'],
  ),
  FailedWebhook: record(
    {
      id,
      completion,
      webhookId,
      failedAt: text('When its last try failed.', { format: 'date-time' }),
      attempts: count('How often the receiver was called, since it was sent again last.'),
      resent: count('How often it was sent again.'),
      lastStatus: count('The HTTP status that the receiver answered last, if it did.'),
      lastError: text('Why the last try was none.'),
    },
    ['lastStatus', 'lastError'],
  ),
  Resent: record({ id, completion, webhookId, state: { const: 'PENDING' } }),
  OpenAiError: openAiErrorSchema,
  PurgeResult: record({ removed: count('How many jobs waited.'), status: { const: 'completed' } }),
};

/** The one shape of errors. */
export const errorSchema: Schema = record({
  error: text('A sentence, which may change.', { minLength: 1 }),
  code: text('What to go by.', { enum: Object.keys(errorStatuses) }),
  requestId: text('Finds the request in the logs.', { minLength: 1 }),
});
