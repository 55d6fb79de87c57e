/** The job record of `core/jobs/record.ts`, one schema for each status: what it has depends on how far the job got. */
import { type JobStatus, jobSchema, jobStatuses } from '../jobs/job.ts';
import { waitReasons } from '../status/waiting.ts';
import { deliverySchema } from '../webhooks/delivery.ts';
import { anything, count, record, reference, type Schema, text } from './schema.ts';

/** Why workers do not come: of a job that waits for them, and of its endpoint. */
export const waitFields = {
  waitReason: text('Why it waits.', { enum: Object.keys(waitReasons) }),
  waitDetail: text('A sentence, which may change, with what the provider says.'),
} as const;

const fields = {
  queuePosition: count('About how many jobs wait ahead of it, and itself: 1 is next.'),
  ...waitFields,
  delayTime: count('How long it has waited, in milliseconds.'),
  executionTime: count('How long it has run, in milliseconds; 0 if it never ran.'),
  workerId: text('The worker that has it, or had it last.'),
  attempts: count('How often it was started.'),
  output: anything('The output of the worker, byte for byte.'),
  error: text('Why it ended without success.'),
  webhook: reference('WebhookDelivery'),
} as const;

type Field = keyof typeof fields | 'code';

const times = ['delayTime', 'executionTime'] as const;

/** What a record has beside id, status and times, and what of it need not be there. */
const members: Readonly<Record<JobStatus, { has: readonly Field[]; may?: readonly Field[] }>> = {
  IN_QUEUE: { has: ['attempts', 'queuePosition', 'waitReason'], may: ['waitDetail'] },
  IN_PROGRESS: { has: ['workerId', 'attempts'], may: ['output'] },
  COMPLETED: { has: ['workerId', 'attempts', 'output'] },
  FAILED: { has: ['workerId', 'attempts', 'error', 'code'], may: ['output'] },
  CANCELLED: { has: ['attempts', 'code'], may: ['workerId'] },
  TIMED_OUT: { has: ['attempts', 'error', 'code'], may: ['workerId'] },
};

/** As the job machine has them. */
function codesOf(status: JobStatus): string[] {
  const shape = jobSchema.def.options
    .map((option) => option.shape)
    .find((each) => each.status.def.values[0] === status);
  return shape && 'code' in shape ? Object.values(shape.code.def.entries) : [];
}

const nameOf = (status: JobStatus) =>
  `${status
    .toLowerCase()
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}Job`;

function recordIn(status: JobStatus, more: Readonly<Record<string, Schema>> = {}): Schema {
  const { has, may = [] } = members[status];
  const all = { ...fields, code: text('Which kind of end it is.', { enum: codesOf(status) }) };
  const own = Object.fromEntries([...times, ...has, ...may].map((field) => [field, all[field]]));
  const { webhook } = fields;
  return record({ id: text('Names the job.'), status: { const: status }, ...own, webhook, ...more }, [
    ...may,
    'webhook',
  ]);
}

const summary = [...times, 'workerId', 'attempts'] as const;

/** What a list has of a job, whatever its status. */
const jobSummary = record(
  {
    id: text('Names the job.'),
    status: { type: 'string', enum: jobStatuses },
    ...Object.fromEntries(summary.map((field) => [field, fields[field]])),
    code: text('Which kind of end it is.', { enum: jobStatuses.flatMap(codesOf) }),
    createdAt: text('When it was submitted.', { format: 'date-time' }),
  },
  ['workerId', 'code'],
);

/** Of a job that was submitted with `webhook`, unless a purge has removed it. */
const webhookDelivery: Schema = {
  ...record(
    {
      state: text('Whether the receiver has acknowledged that the job has ended.', {
        enum: deliverySchema.shape.state.options,
      }),
      attempts: count('How often it was called, since the job ended or since it was sent again.'),
      lastStatus: count('The HTTP status that it answered last.'),
      lastError: text('Why the last call was not acknowledged.'),
    },
    ['lastStatus', 'lastError'],
  ),
  description: 'What has become of the webhook.',
};

/** The record of a job whose workers were lost, as an error. */
const lostJob: Schema = {
  ...recordIn('FAILED', { requestId: text('Finds the request in the logs.') }),
  description: 'The record of a job that several workers in a row were lost with, and the id of the request.',
};

/** `JobRecord`, and the schemas that it refers to. */
export const jobRecordSchemas: Readonly<Record<string, Schema>> = {
  JobRecord: {
    description: 'A job as it is. Which members it has depends on its status.',
    oneOf: jobStatuses.map((status) => reference(nameOf(status))),
  },
  ...Object.fromEntries(jobStatuses.map((status) => [nameOf(status), recordIn(status)])),
  WebhookDelivery: webhookDelivery,
  JobSummary: jobSummary,
  LostJob: lostJob,
};
