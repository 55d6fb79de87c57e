/** What `core/routes.ts` does not say of an operation: what it takes, and what it answers. */

import { CATEGORIES } from '../endpoints/endpoint.ts';
import { jobStatuses } from '../jobs/job.ts';
import { listLimits, logLimits, ttlLimits, waitLimits, webhookListLimits } from '../limits.ts';
import type { JobOperation, ManagementOperation } from '../routes.ts';
import { templateListLimits } from '../templates/limits.ts';
import type { ErrorCode } from './codes.ts';
import { anything, reference, type Schema } from './schema.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header';
  readonly description: string;
  readonly schema: Schema;
  /** How a list is written. */
  readonly style?: 'form';
  readonly explode?: boolean;
}

export interface OperationDescription {
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  /** What it takes by POST. */
  readonly body?: Schema;
  /** Shapes of bodies and answers of other media types, by their names. @default - JSON alone */
  readonly bodyTypes?: Readonly<Record<string, Schema>>;
  readonly answerTypes?: Readonly<Record<string, Schema>>;
  /** Another shape of errors, beside that of the gateway. */
  readonly error?: Schema;
  /** Whether it accepts a job, whose id it returns in a header. */
  readonly submits?: boolean;
  readonly answer: Schema;
  /** Beside those that every operation has. */
  readonly codes?: readonly ErrorCode[];
}

const endpoint: readonly ErrorCode[] = ['ENDPOINT_NOT_FOUND'];
const job: readonly ErrorCode[] = ['ENDPOINT_NOT_FOUND', 'JOB_NOT_FOUND', 'JOB_EXPIRED'];

const wait: Parameter = {
  name: 'wait',
  in: 'query',
  description: 'How long to wait for the end of the job, in milliseconds; then the job is answered as it is.',
  schema: { type: 'integer', minimum: waitLimits.min, maximum: waitLimits.max, default: waitLimits.default },
};
const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'For 24 hours the same key and body stand for one job, however often they are sent.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};
const from: Parameter = {
  name: 'from',
  in: 'query',
  description: 'The number of the first chunk that is wanted.',
  schema: { type: 'integer', minimum: 0, default: 0 },
};

const drainWait: Parameter = {
  ...wait,
  description: 'Of an answer that is a `Drain`: how long to wait for a chunk, in milliseconds.',
  schema: { type: 'integer', minimum: waitLimits.min, maximum: waitLimits.max },
};
const ttl: Parameter = {
  name: 'ttl',
  in: 'query',
  description: 'For how long the result is kept at most, in milliseconds, from now or from the end of the job.',
  schema: { type: 'integer', minimum: ttlLimits.min },
};
const completion: Parameter = {
  name: 'completion',
  in: 'query',
  description: 'Which end of the job: how often it had been retried by then. The last one, if it is not there.',
  schema: { type: 'integer', minimum: 0 },
};
/** Of what comes in pages. */
const page = (things: string, { min, max, default: usual }: Readonly<Record<'min' | 'max' | 'default', number>>) =>
  [
    {
      name: 'limit',
      in: 'query',
      description: `${things} of a page at most.`,
      schema: { type: 'integer', minimum: min, maximum: max, default: usual },
    },
    { name: 'cursor', in: 'query', description: 'The `nextCursor` of the page before.', schema: { type: 'string' } },
  ] as const satisfies readonly Parameter[];
const list: readonly Parameter[] = [
  {
    name: 'status',
    in: 'query',
    description: 'Only jobs of this status, or of these, with commas between.',
    schema: { type: 'array', items: { type: 'string', enum: jobStatuses }, minItems: 1 },
    style: 'form',
    explode: false,
  },
  ...page('Jobs', listLimits.page),
];

const filter = (name: string, description: string, schema: Schema): Parameter => {
  return { name, in: 'query', description, schema: { type: 'string', ...schema } };
};

export const jobOperations: Readonly<Record<JobOperation, OperationDescription>> = {
  run: {
    summary: 'Accepts a job and answers at once',
    parameters: [idempotencyKey],
    body: reference('Submission'),
    submits: true,
    answer: reference('Acknowledgement'),
    codes: [...endpoint, 'REQUEST_TIMEOUT', 'IDEMPOTENCY_CONFLICT', 'QUEUE_FULL'],
  },
  runsync: {
    summary: 'Accepts a job and answers at its end',
    parameters: [wait, idempotencyKey],
    body: reference('Submission'),
    submits: true,
    answer: reference('JobRecord'),
    codes: [...endpoint, 'JOB_EXPIRED', 'REQUEST_TIMEOUT', 'IDEMPOTENCY_CONFLICT', 'QUEUE_FULL', 'WORKER_LOST'],
  },
  status: { summary: 'Reads a job', parameters: [ttl], answer: reference('JobRecord'), codes: job },
  input: {
    summary: 'Reads the input of a job',
    answer: { type: 'object', description: 'What the client sent as `input`, byte for byte.' },
    codes: job,
  },
  'status-sync': {
    summary: 'Reads a job at its end',
    parameters: [wait],
    answer: reference('JobRecord'),
    codes: job,
  },
  stream: {
    summary: 'Reads what a job has streamed so far',
    parameters: [from, drainWait],
    answer: { oneOf: [{ type: 'array', items: reference('Chunk') }, reference('Drain')] },
    codes: job,
  },
  openai: {
    summary: 'Runs a call of an OpenAI client as a job',
    parameters: [idempotencyKey],
    body: {
      type: 'object',
      description: 'Handed to the worker byte for byte. With `"stream": true` the answer is events.',
    },
    bodyTypes: { 'multipart/form-data': { type: 'object', description: 'Handed to the worker byte for byte.' } },
    submits: true,
    answer: anything('What the worker answers.'),
    answerTypes: {
      'text/event-stream': { type: 'string', description: 'Events as the worker streams them, up to `[DONE]`.' },
      '*/*': { type: 'string', format: 'binary', description: 'An answer that is not JSON, such as audio.' },
    },
    error: reference('OpenAiError'),
    codes: [...endpoint, 'JOB_EXPIRED', 'REQUEST_TIMEOUT', 'IDEMPOTENCY_CONFLICT', 'QUEUE_FULL', 'WORKER_LOST'],
  },
  logs: {
    summary: 'Lists what the worker of a job has printed',
    parameters: page('Lines', logLimits.page),
    answer: reference('JobLog'),
    codes: job,
  },
  cancel: { summary: 'Ends a job', answer: reference('Acknowledgement'), codes: job },
  retry: {
    summary: 'Runs a job again that has failed or timed out',
    answer: reference('Acknowledgement'),
    codes: [...job, 'JOB_NOT_RETRYABLE'],
  },
  'purge-queue': { summary: 'Removes all jobs that wait', answer: reference('PurgeResult'), codes: endpoint },
  requests: {
    summary: 'Lists the jobs of the endpoint',
    parameters: list,
    answer: reference('JobList'),
    codes: endpoint,
  },
  webhooks: {
    summary: 'Lists deliveries of webhooks that have failed',
    parameters: page('Deliveries', webhookListLimits.page),
    answer: reference('WebhookList'),
    codes: endpoint,
  },
  resend: {
    summary: 'Makes a delivery of a webhook again that has failed',
    parameters: [completion],
    answer: reference('Resent'),
    codes: [...job, 'WEBHOOK_NOT_FOUND', 'WEBHOOK_NOT_FAILED'],
  },
  health: { summary: 'Counts jobs and workers', answer: reference('Health'), codes: endpoint },
};

export const managementOperations: Readonly<Record<ManagementOperation, OperationDescription>> = {
  endpoints: { summary: 'Lists the endpoints that the key may call', answer: reference('EndpointList') },
  'create-template': {
    summary: 'Makes a template',
    body: reference('NewTemplate'),
    answer: reference('Template'),
    codes: ['SECRETS_NOT_PERMITTED', 'TEMPLATE_NAME_TAKEN'],
  },
  'list-templates': {
    summary: 'Lists the templates that the owner of the key may use',
    parameters: [
      filter('category', 'Only templates for this.', { enum: CATEGORIES }),
      filter('isPublic', 'Only public templates, or only private ones.', { enum: ['true', 'false'] }),
      filter('isServerless', 'Only templates of workers, or only those of Pods.', { enum: ['true', 'false'] }),
      ...page('Templates', templateListLimits.page),
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
    summary: 'Changes a template, and rolls it out to the endpoints that use it',
    body: reference('TemplateChanges'),
    answer: reference('Template'),
    codes: ['SECRETS_NOT_PERMITTED', 'TEMPLATE_NOT_FOUND', 'TEMPLATE_READ_ONLY', 'TEMPLATE_NAME_TAKEN'],
  },
  releases: {
    summary: 'Lists the releases of an endpoint',
    parameters: page('Releases', listLimits.page),
    answer: reference('ReleaseList'),
    codes: endpoint,
  },
  resume: {
    summary: 'Lets an endpoint start workers again that backs off',
    answer: reference('Resumed'),
    codes: endpoint,
  },
  'list-keys': { summary: 'Lists the API keys', answer: reference('KeyList') },
  'create-key': {
    summary: 'Makes an API key',
    body: reference('NewKey'),
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
    summary: 'Finds a job by its id, in the endpoints that the key may call',
    answer: reference('JobPlace'),
    codes: ['JOB_NOT_FOUND', 'JOB_EXPIRED'],
  },
  session: { summary: 'Says who calls, and what the caller may do', answer: reference('Session') },
};
