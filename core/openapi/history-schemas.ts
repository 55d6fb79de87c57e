/** Schemas of the history by name. */
import { endStatuses } from '../history/ended-job.ts';
import { eventCallerKinds, eventKinds } from '../history/event.ts';
import { historyLimits } from '../history/limits.ts';
import { requeueReasons } from '../jobs/job.ts';
import { count, exactObject, reference, type Schema, text } from './schema.ts';

const time = (description: string) => text(description, { format: 'date-time' });

const readTo =
  'Time up to which all jobs were read, of those that the parameters name: the others follow with `nextCursor`.';
const nextCursor = text('Cursor of the next page; absent if all jobs were read.');

const cost = {
  workerTime: count(
    "The last attempt's share of its worker's time, in milliseconds: of n jobs that ran at once, each has one nth. Absent if the job was not started.",
  ),
  dollars: {
    type: 'number',
    minimum: 0,
    description: 'Dollars for this time at the price of a worker; absent if the price is unknown, such as on Spot.',
  },
} as const;

/** Members of workers: the jobs that have ended on them. `lastError` is optional. */
export const workerJobs = {
  completed: count('Number of jobs that completed on the worker at least two minutes ago.'),
  failed: count('Number of jobs that failed on the worker, or exceeded their time.'),
  lastError: reference('LastError'),
} as const;

export const historySchemas: Readonly<Record<string, Schema>> = {
  LastError: exactObject(
    {
      job: text('Id of the last job that failed on the worker, or exceeded its time.'),
      at: time('Time at which it ended.'),
      code: text('Why it failed.'),
      error: text('First line of its error.'),
    },
    ['code', 'error'],
  ),
  EndedJobList: exactObject(
    {
      jobs: {
        type: 'array',
        items: reference('EndedJob'),
        description: 'Ends of jobs, newest first. A page can be short, even empty, although more follow.',
      },
      readTo: time(readTo),
      nextCursor,
    },
    ['nextCursor'],
  ),
  EndedJob: exactObject(
    {
      id: text('Id of the job.'),
      endpoint: text('Id of its endpoint.'),
      status: text('Status with which the job ended.', { enum: endStatuses }),
      code: text('Why the job did not complete, as in its record; absent for COMPLETED.'),
      error: text(`First line of the error of a FAILED job, at most ${historyLimits.error} bytes.`),
      fingerprint: text('Equal for failures whose codes are equal and whose errors differ only by numbers and ids.'),
      createdAt: time('Submission.'),
      startedAt: time('Start of the last attempt; absent if the job was not started.'),
      endedAt: time('End.'),
      delayTime: count(
        'Time from the submission, or the last retry, to the start of the last attempt, in milliseconds.',
      ),
      executionTime: count('Time from the start of the last attempt to the end, in milliseconds.'),
      attempts: count('Number of attempts.'),
      rescues: count('How often the job was queued again because its worker was lost or gave it up.'),
      retries: count('How often a client had retried the job before.'),
      lowPriority: { type: 'boolean', description: 'Whether the job had low priority.' },
      worker: text('Id of the worker of the last attempt; absent if the job was not started.'),
      revision: count('Revision that the worker ran; absent if it is unknown.'),
      owner: text('Owner of the key, or name of the user, that submitted the job.'),
      key: text('Id of the API key that submitted the job; absent if a user did, or if it is unknown.'),
      inputBytes: count('Size of the input in bytes; absent if it is unknown.'),
      outputBytes: count('Size of the output in bytes; absent without an output.'),
      traceId: text('Id of the trace of the request that submitted the job; absent if it had none.'),
      ...cost,
      earlierAttempts: {
        type: 'array',
        items: reference('EndedAttempt'),
        description:
          'Attempts after which the job was queued again, oldest first, with the parameter `job`; absent if there are none.',
      },
    },
    [
      ...['code', 'error', 'fingerprint', 'startedAt', 'worker', 'revision', 'key', 'inputBytes', 'outputBytes'],
      ...['traceId', 'workerTime', 'dollars', 'earlierAttempts'],
    ],
  ),
  EndedAttempt: exactObject(
    {
      attempt: count('Number of the attempt.'),
      worker: text('Id of its worker.'),
      revision: count('Revision that the worker ran; absent if it is unknown.'),
      startedAt: time('Start.'),
      endedAt: time('Time at which the job was queued again.'),
      executionTime: count('Time from the start to the end, in milliseconds.'),
      ...cost,
      reason: text(
        'Why it ended: the worker did not renew its lease, the worker stopped, or the worker gave the job up, such as after the process of its handler had ended. Absent if it is unknown.',
        { enum: requeueReasons },
      ),
    },
    ['revision', 'workerTime', 'dollars', 'reason'],
  ),
  FailureList: exactObject(
    {
      failures: { type: 'array', items: reference('FailureGroup'), description: 'Groups, the largest first.' },
      ended: count('Number of jobs that ended, also successfully, among which the failures are counted.'),
      failed: count('Number of failures.'),
      readTo: time('Time since which all jobs are counted. Older ones follow with `nextCursor`.'),
      nextCursor,
    },
    ['nextCursor'],
  ),
  EndedWorkerList: exactObject(
    {
      workers: { type: 'array', items: reference('EndedWorker'), description: 'Workers, newest end first.' },
      readTo: time('Time since which all workers are listed. Older ones follow with `nextCursor`.'),
      nextCursor,
    },
    ['nextCursor'],
  ),
  EndedWorker: exactObject(
    {
      id: text('Id of the ECS task, which is the `worker` of its jobs.'),
      revision: count('Revision that the worker ran.'),
      capacity: text('Capacity provider or launch type that ran the worker.'),
      instance: text('Id of the container instance in ECS; absent on Fargate.'),
      type: text('Type of the instance, such as `g6.xlarge`; absent on Fargate.'),
      createdAt: time('Time at which ECS created the task.'),
      readySince: time('Time at which the container first asked for jobs; absent if it never did.'),
      endedAt: time('Time at which the task stopped.'),
      stopCode: text('Why ECS stopped the task, such as `EssentialContainerExited`.'),
      reason: text(`Messages of ECS about the stop, at most ${historyLimits.stopReason} bytes.`),
      container: text('Container whose exit stopped the task; absent if none has exited.'),
      exitCode: { type: 'integer', description: 'Its exit code.' },
      dollars: { type: 'number', description: "Price of the worker's time, from its place on a machine to its stop." },
      ...workerJobs,
      timeline: {
        type: 'array',
        items: reference('Stage'),
        description: 'Stages of the start, until the worker was ready or stopped; absent if they are unknown.',
      },
    },
    [
      ...['revision', 'capacity', 'instance', 'createdAt', 'readySince'],
      ...['type', 'stopCode', 'reason', 'container', 'exitCode', 'dollars', 'lastError', 'timeline'],
    ],
  ),
  EventList: exactObject(
    {
      events: { type: 'array', items: reference('EndpointEvent'), description: 'Events, newest first.' },
      readTo: time('Time since which all events are listed. Older ones follow with `nextCursor`.'),
      nextCursor,
    },
    ['nextCursor'],
  ),
  EndpointEvent: exactObject(
    {
      kind: text(
        '`CONDITION`: why workers are missing, as `waitReason`. `BACK_OFF`: the endpoint starts fewer workers, because several failed. `RELEASE`: a release began or ended. `TEMPLATE`: a caller changed the template. `PURGE`, `RESUME`: a caller called the operation. `SCALED`: the number of workers changed. `BUDGET`: how much of a budget is spent.',
        { enum: eventKinds },
      ),
      at: time('Time of the event.'),
      from: text(
        'State before: a condition, the state of a release, a number of workers, or `WITHIN`, `WARNED` (80 %) or `SPENT` for a budget.',
      ),
      to: text('State after it, or `ON` or `OFF` for a back-off; absent if a condition has ended.'),
      detail: text('Why: a message about a condition or release, or the reason that the caller gave.'),
      key: text('Id of the API key whose budget it is; absent for the budget of the endpoint.'),
      jobs: count('Number of purged jobs.'),
      revision: count('Revision of the release; absent if none was created.'),
      template: text('Id of the template of the release or change.'),
      version: count('Its version.'),
      fields: {
        type: 'array',
        items: { type: 'string' },
        description: 'Names of the fields of the template that changed.',
      },
      by: exactObject({
        kind: text('Whether an API key, a user or a command with credentials of AWS caused the event.', {
          enum: eventCallerKinds,
        }),
        id: text('Id of the key or of the user, or ARN of the credentials.'),
        name: text('Name of the key or of the user at that time.'),
      }),
    },
    ['from', 'to', 'detail', 'key', 'jobs', 'revision', 'template', 'version', 'fields', 'by'],
  ),
  FailureGroup: exactObject(
    {
      fingerprint: text('Fingerprint, with which `GET /jobs?error=` lists the jobs.'),
      code: text('Code of the failures.'),
      error: text('First line of the newest error; absent if the failures have none.'),
      count: count('Number of failures.'),
      first: time('First failure.'),
      last: time('Last failure.'),
      job: text('Id of the last job that failed.'),
      workers: {
        type: 'array',
        items: exactObject({ worker: text('Id of the worker.'), count: count('Failures on this worker.') }),
        description: `Workers with the most failures, at most ${historyLimits.workers}.`,
      },
      workerCount: count('Number of workers on which jobs failed.'),
      releases: {
        type: 'array',
        items: exactObject({
          revision: count('Revision that the worker ran.'),
          count: count('Failures of this revision.'),
        }),
        description: `Releases, newest first, at most ${historyLimits.releases}.`,
      },
      keys: {
        type: 'array',
        items: exactObject({ key: text('Id of the API key.'), count: count('Failures of its jobs.') }),
        description: `API keys with the most failures, at most ${historyLimits.keys}; absent if users sent all jobs.`,
      },
      keyCount: count('Number of API keys whose jobs failed; absent if users sent all jobs.'),
    },
    ['error', 'keys', 'keyCount'],
  ),
};
