/** Schemas of both interfaces by name. Request schemas are generated from the schemas that validate requests. */
import * as z from 'zod/mini';
import { logLimits, policyLimits, webhookUrlLimits } from '../limits.ts';
import { MAX_SCENARIO_LENGTH, metricFields } from '../streams/metrics.ts';
import { policySchema, s3ConfigSchema } from '../submission/request.ts';
import { errorCodes } from './codes.ts';
import { healthSchema } from './health.ts';
import { jobRecordSchemas, jobStatus } from './job-record.ts';
import {
  anyObject,
  anything,
  count,
  exactObject,
  reference,
  type Schema,
  text,
  withDefaultsDescribed,
} from './schema.ts';

const id = text('Id of the job.');
const completion = count(
  'Number of the reported completion of the job, which is the number of retries before this completion.',
);
const webhookId = text('The header `webhook-id` of each attempt.');

function policy(): Schema {
  const { $schema: _, properties = {}, ...rest } = z.toJSONSchema(policySchema, { io: 'input' });
  const executionTimeout = {
    default: policyLimits.executionTimeout.default,
    description: 'Longest run, in milliseconds. An endpoint can have another default.',
  };
  const ttl = { default: policyLimits.ttl.default, description: 'Longest wait in the queue, in milliseconds.' };
  const lowPriority = { default: false, description: 'If true, the job does not start a worker.' };
  const described: Record<string, Schema> = { executionTimeout, ttl, lowPriority };
  const merged = Object.entries(properties).map(([name, schema]) => [name, { ...Object(schema), ...described[name] }]);
  return { ...rest, description: 'Limits of a job.', properties: withDefaultsDescribed(Object.fromEntries(merged)) };
}

function s3Config(): Schema {
  const { $schema: _, properties = {}, ...schema } = z.toJSONSchema(s3ConfigSchema, { io: 'input' });
  const described: Record<string, string> = {
    accessId: 'Access key id.',
    accessSecret: 'Secret access key.',
    bucketName: 'Name of the bucket.',
    endpointUrl: 'Address of the storage. The service does not call it.',
  };
  const merged = Object.entries(properties).map(([name, field]) => [
    name,
    { ...Object(field), description: described[name] },
  ]);
  return {
    ...schema,
    properties: Object.fromEntries(merged),
    writeOnly: true,
    description: 'Storage for the worker, never returned in a response. The worker also receives additional members.',
  };
}

const webhook = (): Schema => ({
  type: 'string',
  format: 'uri',
  maxLength: webhookUrlLimits.characters,
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\\\\\\s]+([/?][^#\\\\\\s]*)?$',
  writeOnly: true,
  description: 'Public URL that receives a POST with the job record when the job ends.',
});

const metrics = Object.fromEntries(
  Object.entries(metricFields).map(([name, type]) => [
    name,
    { type, ...(type === 'string' && { maxLength: MAX_SCENARIO_LENGTH }) },
  ]),
);

const openAiProblem = {
  message: text('Message for people, which can change.'),
  type: text('Error type, such as `invalid_request_error`, or a type of the worker server.'),
  param: { type: ['string', 'null'], description: 'The invalid parameter, if any.' },
  code: { type: ['string', 'integer', 'null'], description: 'Error code of this interface, or of the worker server.' },
};

/** Schema of errors that OpenAI's clients receive. Errors of the worker's own server are passed on unchanged. */
const openAiErrorSchema: Schema = {
  type: 'object',
  properties: { error: { ...exactObject(openAiProblem), description: 'The error.' } },
  required: ['error'],
  description: 'If API Gateway refuses the key, the response also has the members `code` and `requestId`.',
};

export const jobSchemas: Readonly<Record<string, Schema>> = {
  Submission: {
    type: 'object',
    description: 'A job. Unknown members are ignored. Omit members without a value: `null` is a 400.',
    properties: {
      input: anyObject('Passed to the worker byte for byte.'),
      policy: reference('Policy'),
      s3Config: reference('S3Config'),
      webhook: webhook(),
    },
    required: ['input'],
  },
  Policy: policy(),
  S3Config: s3Config(),
  Acknowledgement: exactObject({ id, status: jobStatus }),
  ...jobRecordSchemas,
  Chunk: {
    ...exactObject(
      {
        output: anything('An output that the worker streamed, or a part of it.'),
        metrics: reference('Metrics'),
        part: count(
          'Number of the part, from 1, of an output that was split as text. The outputs of all parts are strings.',
        ),
        parts: count('Number of parts. Their concatenated strings are the JSON text of the output.'),
      },
      ['part', 'parts'],
    ),
    description:
      'At most 1 MB of JSON text. A larger output is split: a string into strings, an array into arrays, other values into parts.',
  },
  Drain: {
    ...exactObject({
      status: jobStatus,
      stream: { type: 'array', items: reference('Chunk'), description: 'Chunks, oldest first.' },
    }),
    description:
      'Chunks that no call has returned yet, for endpoints with `streamEnvelope` and for RunPod clients, detected by `User-Agent`.',
  },
  JobList: exactObject(
    {
      requests: { type: 'array', items: reference('JobSummary'), description: 'Jobs, newest first.' },
      nextCursor: text('Cursor of the next page; absent on the last page.'),
    },
    ['nextCursor'],
  ),
  JobLog: exactObject(
    {
      id,
      status: jobStatus,
      attempts: count('Number of attempts of the job. The lines are those of the last attempt.'),
      workerId: text('The worker that printed the lines. Absent if the job waits, or ended while it waited.'),
      lines: { type: 'array', items: reference('LogLine'), description: 'Lines, oldest first.' },
      nextCursor: text(
        'Cursor of the next lines, which might not exist yet. Absent after the last line of a job that has ended.',
      ),
    },
    ['workerId', 'nextCursor'],
  ),
  LogLine: exactObject(
    {
      time: text('Time at which the line was printed.', { format: 'date-time' }),
      source: text('Container that printed the line: `worker` runs the handler.', { enum: ['worker', 'agent'] }),
      chosenBy: text(
        '`JOB_ID`: the line contains the job id. `TIME`: the worker held no other job when it printed the line.',
        {
          enum: ['JOB_ID', 'TIME'],
        },
      ),
      message: text('The line, truncated if it is too long.', { maxLength: logLimits.message }),
      truncated: { type: 'boolean', description: '`true` if the line was truncated; absent otherwise.' },
    },
    ['truncated'],
  ),
  Metrics: {
    ...exactObject(
      { stream_index: count('Number of the chunk, from 0.'), ...metrics },
      Object.keys(metrics).filter((name) => name !== 'running'),
    ),
    description:
      'Eleven metrics, of which `stream_index` and `running` are always present, and the others if the worker sent them with the chunk. If it sends no `running`, this is the number of jobs that it holds.',
  },
  Health: healthSchema,
  WebhookList: exactObject(
    {
      webhooks: {
        type: 'array',
        items: reference('FailedWebhook'),
        description: 'Failed deliveries, newest failure first.',
      },
      nextCursor: text('Cursor of the next page; absent on the last page.'),
    },
    ['nextCursor'],
  ),
  FailedWebhook: exactObject(
    {
      id,
      completion,
      webhookId,
      failedAt: text('Time at which the last attempt failed.', { format: 'date-time' }),
      attempts: count('Number of attempts since the delivery was created or last sent again.'),
      resent: count('Number of times that the delivery was sent again.'),
      lastStatus: count('Last HTTP status of the receiver, if it responded.'),
      lastError: text('Why the last attempt failed.'),
      receiver: text(
        'Scheme, host and port of the URL, such as `https://example.com`; absent if they are unknown. The rest of the URL can contain secrets.',
      ),
    },
    ['lastStatus', 'lastError', 'receiver'],
  ),
  Resent: exactObject({ id, completion, webhookId, state: { const: 'PENDING' } }),
  OpenAiError: openAiErrorSchema,
  PurgeResult: exactObject({ removed: count('Number of jobs that waited.'), status: { const: 'completed' } }),
};

/** Schema of all errors except those of OpenAI calls. */
export const errorSchema: Schema = exactObject({
  error: text('Message for people, which can change.', { minLength: 1 }),
  code: text('Stable code for programs.', { enum: errorCodes }),
  requestId: text('Id of the request in the logs.', { minLength: 1 }),
});
