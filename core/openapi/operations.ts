/** Descriptions of operations in addition to `core/routes.ts`: parameters, bodies and responses. */

import { shortestCursor } from '../cursor.ts';
import { CATEGORIES } from '../endpoints/endpoint.ts';
import { jobStatuses } from '../jobs/job.ts';
import { listLimits, logLimits, payloadLimits, ttlLimits, waitLimits, webhookListLimits } from '../limits.ts';
import type { JobOperation, ManagementOperation } from '../routes.ts';
import { templateLimits, templateListLimits } from '../templates/limits.ts';
import { indexLimits } from '../validation.ts';
import type { ErrorCode } from './codes.ts';
import { anyObject, anything, reference, type Schema } from './schema.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header';
  readonly description: string;
  readonly schema: Schema;
  /** Serialization of a list. */
  readonly style?: 'form';
  readonly explode?: boolean;
}

export interface OperationDescription {
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  /** Schema of the body of a POST, PUT or PATCH. */
  readonly body?: Schema;
  /** Largest body, in bytes. */
  readonly largest?: number;
  /** An example of the body in JSON. */
  readonly example?: object;
  /**
   * Schemas of bodies and responses by media type.
   * @default - only JSON
   */
  readonly bodyTypes?: Readonly<Record<string, Schema>>;
  readonly answerTypes?: Readonly<Record<string, Schema>>;
  /** Schema of errors in addition to that of the gateway. */
  readonly error?: Schema;
  /** Whether the operation accepts a job and returns its id in a header. */
  readonly submits?: boolean;
  readonly answer: Schema;
  /** Codes in addition to those of all operations. */
  readonly codes?: readonly ErrorCode[];
}

const endpoint: readonly ErrorCode[] = ['ENDPOINT_NOT_FOUND'];
const job: readonly ErrorCode[] = ['ENDPOINT_NOT_FOUND', 'JOB_NOT_FOUND', 'JOB_EXPIRED'];

const wait: Parameter = {
  name: 'wait',
  in: 'query',
  description:
    'Maximum time to wait for the end of the job, in milliseconds. After that, the response has the current state.',
  schema: { type: 'integer', minimum: waitLimits.min, maximum: waitLimits.max, default: waitLimits.default },
};
const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'For 24 hours, repeated requests with the same key and body return the same job.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};
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
const completion: Parameter = {
  name: 'completion',
  in: 'query',
  description:
    'Number of the completion, which is the number of retries before it. The default is the last completion.',
  schema: { type: 'integer', minimum: indexLimits.min, maximum: indexLimits.max },
};
/** Returns the parameters of a list with pages. */
const page = (things: string, { min, max, default: usual }: Readonly<Record<'min' | 'max' | 'default', number>>) =>
  [
    {
      name: 'limit',
      in: 'query',
      description: `Maximum number of ${things} per page.`,
      schema: { type: 'integer', minimum: min, maximum: max, default: usual },
    },
    {
      name: 'cursor',
      in: 'query',
      description: 'The unchanged `nextCursor` of the previous page. Any other value is a 400.',
      schema: { type: 'string', minLength: shortestCursor, pattern: '^[\\w-]+$' },
    },
  ] as const satisfies readonly Parameter[];
const list: readonly Parameter[] = [
  {
    name: 'status',
    in: 'query',
    description: 'Returns only jobs with one of these statuses, separated by commas.',
    schema: { type: 'array', items: { type: 'string', enum: jobStatuses }, minItems: 1 },
    style: 'form',
    explode: false,
  },
  ...page('jobs', listLimits.page),
];

const filter = (name: string, description: string, schema: Schema): Parameter => {
  return { name, in: 'query', description, schema: { type: 'string', ...schema } };
};

export const jobOperations: Readonly<Record<JobOperation, OperationDescription>> = {
  run: {
    summary: 'Accepts a job and responds immediately',
    parameters: [idempotencyKey],
    body: reference('Submission'),
    largest: payloadLimits.body.run,
    example: { input: { text: 'hello' }, policy: { executionTimeout: 60_000 } },
    submits: true,
    answer: reference('Acknowledgement'),
    codes: [...endpoint, 'REQUEST_TIMEOUT', 'IDEMPOTENCY_CONFLICT', 'QUEUE_FULL'],
  },
  runsync: {
    summary: 'Accepts a job and waits for its end',
    parameters: [wait, idempotencyKey],
    body: reference('Submission'),
    largest: payloadLimits.body.runsync,
    example: { input: { text: 'hello' } },
    submits: true,
    answer: reference('JobRecord'),
    codes: [...endpoint, 'JOB_EXPIRED', 'REQUEST_TIMEOUT', 'IDEMPOTENCY_CONFLICT', 'QUEUE_FULL', 'WORKER_LOST'],
  },
  status: { summary: 'Reads a job', parameters: [ttl, timeline], answer: reference('JobRecord'), codes: job },
  input: {
    summary: 'Reads the input of a job',
    answer: anyObject('The `input` that the client sent, byte for byte.'),
    codes: job,
  },
  'status-sync': {
    summary: 'Waits for the end of a job and reads it',
    parameters: [wait],
    answer: reference('JobRecord'),
    codes: job,
  },
  stream: {
    summary: 'Reads the chunks that a job has streamed',
    parameters: [from, drainWait],
    answer: { oneOf: [{ type: 'array', items: reference('Chunk') }, reference('Drain')] },
    codes: job,
  },
  openai: {
    summary: 'Runs an OpenAI API call as a job',
    parameters: [idempotencyKey],
    body: anyObject('Passed to the worker byte for byte. With `"stream": true` the response is an event stream.'),
    largest: payloadLimits.body.runsync,
    example: { model: 'my-model', messages: [{ role: 'user', content: 'Hello' }] },
    bodyTypes: { 'multipart/form-data': anyObject('Passed to the worker byte for byte.') },
    submits: true,
    answer: anything('Response of the worker.'),
    answerTypes: {
      'text/event-stream': { type: 'string', description: 'Events as the worker streams them, up to `[DONE]`.' },
      '*/*': { type: 'string', format: 'binary', description: 'A response that is not JSON, such as audio.' },
    },
    error: reference('OpenAiError'),
    codes: [...endpoint, 'JOB_EXPIRED', 'REQUEST_TIMEOUT', 'IDEMPOTENCY_CONFLICT', 'QUEUE_FULL', 'WORKER_LOST'],
  },
  logs: {
    summary: 'Lists the log lines of a job',
    parameters: page('lines', logLimits.page),
    answer: reference('JobLog'),
    codes: job,
  },
  cancel: { summary: 'Ends a job', answer: reference('Acknowledgement'), codes: job },
  retry: {
    summary: 'Retries a job that has failed or timed out',
    answer: reference('Acknowledgement'),
    codes: [...job, 'JOB_NOT_RETRYABLE'],
  },
  'purge-queue': { summary: 'Cancels all waiting jobs', answer: reference('PurgeResult'), codes: endpoint },
  requests: {
    summary: 'Lists the jobs of the endpoint',
    parameters: list,
    answer: reference('JobList'),
    codes: endpoint,
  },
  webhooks: {
    summary: 'Lists failed webhook deliveries',
    parameters: page('deliveries', webhookListLimits.page),
    answer: reference('WebhookList'),
    codes: endpoint,
  },
  resend: {
    summary: 'Sends a failed webhook delivery again',
    parameters: [completion],
    answer: reference('Resent'),
    codes: [...job, 'WEBHOOK_NOT_FOUND', 'WEBHOOK_NOT_FAILED'],
  },
  health: { summary: 'Counts jobs and workers', answer: reference('Health'), codes: endpoint },
};

export const managementOperations: Readonly<Record<ManagementOperation, OperationDescription>> = {
  endpoints: { summary: 'Lists the endpoints that the caller may call', answer: reference('EndpointList') },
  'create-template': {
    summary: 'Creates a template',
    body: reference('NewTemplate'),
    largest: templateLimits.body,
    example: { name: 'my-worker', imageName: 'registry.example.com/team/worker:1.0' },
    answer: reference('Template'),
    codes: ['SECRETS_NOT_PERMITTED', 'TEMPLATE_NAME_TAKEN'],
  },
  'list-templates': {
    summary: 'Lists the templates that the owner of the caller can use',
    parameters: [
      filter('category', 'Returns only templates of this category.', { enum: CATEGORIES }),
      filter('isPublic', 'Returns only public (`true`) or only private (`false`) templates.', {
        enum: ['true', 'false'],
      }),
      filter('isServerless', 'Returns only templates of workers (`true`) or only of Pods (`false`).', {
        enum: ['true', 'false'],
      }),
      ...page('templates', templateListLimits.page),
    ],
    answer: reference('TemplateList'),
  },
  'read-template': {
    summary: 'Reads a template',
    answer: reference('TemplateInUse'),
    codes: ['TEMPLATE_NOT_FOUND'],
  },
  'remove-template': {
    summary: 'Deletes a template that no endpoint uses',
    answer: reference('RemovedTemplate'),
    codes: ['TEMPLATE_NOT_FOUND', 'TEMPLATE_READ_ONLY', 'TEMPLATE_IN_USE'],
  },
  'update-template': {
    summary: 'Updates a template and rolls it out to the endpoints that use it',
    body: reference('TemplateChanges'),
    largest: templateLimits.body,
    example: { imageName: 'registry.example.com/team/worker:1.1' },
    answer: reference('Template'),
    codes: [
      ...(['SECRETS_NOT_PERMITTED', 'TEMPLATE_NOT_FOUND', 'TEMPLATE_READ_ONLY', 'TEMPLATE_NAME_TAKEN'] as const),
      'DECLARED_IN_GIT',
    ],
  },
  releases: {
    summary: 'Lists the releases of an endpoint',
    parameters: page('releases', listLimits.page),
    answer: reference('ReleaseList'),
    codes: endpoint,
  },
  resume: {
    summary: 'Ends the back-off of an endpoint, so that it starts workers again',
    answer: reference('Resumed'),
    codes: endpoint,
  },
  'list-keys': { summary: 'Lists the API keys', answer: reference('KeyList') },
  'create-key': {
    summary: 'Creates an API key',
    body: reference('NewKey'),
    largest: payloadLimits.field,
    example: { name: 'ci', endpoints: ['echo'], operations: ['run', 'status'], expiresAt: '2030-01-31' },
    answer: reference('CreatedKey'),
  },
  'revoke-key': {
    summary: 'Revokes an API key, which is refused within 60 seconds',
    answer: reference('RevokedKey'),
    codes: ['KEY_NOT_FOUND'],
  },
  workers: {
    summary: 'Lists the workers of an endpoint',
    answer: reference('WorkerList'),
    codes: endpoint,
  },
  'find-job': {
    summary: 'Finds a job by its id, in the endpoints that the caller may call',
    answer: reference('JobPlace'),
    codes: ['JOB_NOT_FOUND', 'JOB_EXPIRED'],
  },
  session: { summary: 'Returns the caller and its permissions', answer: reference('Session') },
};
