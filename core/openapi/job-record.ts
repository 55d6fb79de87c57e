/** The job record of `core/jobs/record.ts`, with one schema for each status, which determines the members. */
import { type JobStatus, jobSchema, jobStatuses } from '../jobs/job.ts';
import { waitReasons } from '../status/waiting.ts';
import { webhookStates } from '../webhooks/delivery.ts';
import { anything, count, exactObject, reference, type Schema, text } from './schema.ts';
import { stageSchema } from './timeline.ts';

/** Schema of the status of a job. */
export const jobStatus: Schema = text('Status of the job.', { enum: jobStatuses });

/** Why no worker is available for a waiting job, and for its endpoint. */
export const waitFields = {
  waitReason: text('Why the job waits for a worker, or why the jobs of the endpoint wait or would wait.', {
    enum: Object.keys(waitReasons),
  }),
  waitDetail: text('Message for people, which can change and includes the message of the provider.'),
} as const;

const fields = {
  queuePosition: count('Approximate position in the queue: 1 is the next job.'),
  ...waitFields,
  delayTime: count('Time that the job has waited, in milliseconds.'),
  executionTime: count('Time that the job has run, in milliseconds; 0 if it never ran.'),
  workerId: text('The worker that has the job, or last had it.'),
  attempts: count('Number of attempts.'),
  error: text('Why the job did not succeed.'),
  webhook: reference('WebhookDelivery'),
  timeline: {
    type: 'array',
    items: reference('Stage'),
    description:
      'Stages of the wait, whose durations add up to `delayTime`; only in responses of `/status?timeline=true`.',
  },
} as const;

type Field = keyof typeof fields | 'code' | 'output';

const CHUNKS = 'the array of the outputs of its chunks, if its worker is known to return them as its output';

const outputs: Readonly<Partial<Record<JobStatus, string>>> = {
  IN_PROGRESS: 'Last progress that the worker reported, byte for byte.',
  COMPLETED: 'Output of the worker, byte for byte.',
  FAILED: `Output that the worker reported with its error, byte for byte. Without it, ${CHUNKS}.`,
  CANCELLED: `After a start, ${CHUNKS}.`,
  TIMED_OUT: `After a start, ${CHUNKS}.`,
};

const times = ['delayTime', 'executionTime'] as const;

/** Members of a record in addition to id, status and times: always present (`has`) and optional (`may`). */
const members: Readonly<Record<JobStatus, { has: readonly Field[]; may?: readonly Field[] }>> = {
  IN_QUEUE: { has: ['attempts', 'queuePosition', 'waitReason'], may: ['waitDetail'] },
  IN_PROGRESS: { has: ['workerId', 'attempts'], may: ['output'] },
  COMPLETED: { has: ['workerId', 'attempts', 'output'] },
  FAILED: { has: ['workerId', 'attempts', 'error', 'code'], may: ['output'] },
  CANCELLED: { has: ['attempts', 'code'], may: ['workerId', 'output'] },
  TIMED_OUT: { has: ['attempts', 'error', 'code'], may: ['workerId', 'output'] },
};

/** Returns the codes of a status from the schema of stored jobs. */
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
  const code = text('Why the job has this status.', { enum: codesOf(status) });
  const all = { ...fields, code, output: anything(outputs[status] ?? '') };
  const own = Object.fromEntries([...times, ...has, ...may].map((field) => [field, all[field]]));
  const { webhook, timeline } = fields;
  return exactObject({ id: text('Id of the job.'), status: { const: status }, ...own, webhook, timeline, ...more }, [
    ...may,
    'webhook',
    'timeline',
  ]);
}

const summary = [...times, 'workerId', 'attempts', 'queuePosition', 'waitReason', 'waitDetail'] as const;

/** Schema of a job of any status in a list. */
const jobSummary = exactObject(
  {
    id: text('Id of the job.'),
    status: jobStatus,
    ...Object.fromEntries(summary.map((field) => [field, fields[field]])),
    code: text('Why the job has this status.', { enum: jobStatuses.flatMap(codesOf) }),
    createdAt: text('Time of the submission.', { format: 'date-time' }),
  },
  ['workerId', 'code', 'queuePosition', 'waitReason', 'waitDetail'],
);

/** Schema of the webhook delivery of a job that was submitted with `webhook`. */
const webhookDelivery: Schema = {
  ...exactObject(
    {
      state: text(
        'Whether the receiver has acknowledged the delivery. `NOT_SENT` means that a purge removed the job.',
        {
          enum: webhookStates,
        },
      ),
      attempts: count('Number of attempts since the job ended or the delivery was last sent again.'),
      lastStatus: count('Last HTTP status of the receiver.'),
      lastError: text('Why the last attempt was not acknowledged.'),
    },
    ['lastStatus', 'lastError'],
  ),
  description: 'State of the webhook delivery.',
};

/** Schema of the error for a job whose workers were lost: its job record. */
const lostJob: Schema = {
  ...recordIn('FAILED', { requestId: text('Id of the request in the logs.') }),
  description: 'Record of a job that lost a worker in each attempt, and the id of the request.',
};

/** The schema `JobRecord` and the schemas that it references. */
export const jobRecordSchemas: Readonly<Record<string, Schema>> = {
  JobRecord: {
    description: 'The current state of a job. The status determines the members.',
    oneOf: jobStatuses.map((status) => reference(nameOf(status))),
  },
  ...Object.fromEntries(jobStatuses.map((status) => [nameOf(status), recordIn(status)])),
  Stage: stageSchema,
  WebhookDelivery: webhookDelivery,
  JobSummary: jobSummary,
  LostJob: lostJob,
};
