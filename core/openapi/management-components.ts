/** Schemas of the management interface by name. */
import { CATEGORIES } from '../endpoints/endpoint.ts';
import { conditionKinds } from '../endpoints/fleet-state.ts';
import { MAX_REVISION } from '../endpoints/release.ts';
import { releaseStates } from '../endpoints/release-summary.ts';
import { logLimits } from '../limits.ts';
import { logSources } from '../logs/endpoint-logs.ts';
import { workerStates } from '../workers/lease.ts';
import { alarmSchemas } from './alarm-schemas.ts';
import { healthSchema } from './health.ts';
import { historySchemas, workerJobs } from './history-schemas.ts';
import { jobStatus } from './job-record.ts';
import { keySchemas } from './key-schemas.ts';
import { anyObject, count, exactObject, reference, type Schema, text } from './schema.ts';
import { changeReason, templateSchemas } from './template-schemas.ts';
import { stageSchema } from './timeline.ts';
import { usageSchemas } from './usage-schemas.ts';

const time = (description: string) => text(description, { format: 'date-time' });

const release: Readonly<Record<string, Schema>> = {
  state: text('State of the release. ROLLED_BACK: the previous release was restored.', { enum: releaseStates }),
  version: count('Version of the template.'),
  revision: count("Number of the revision of the endpoint's task definition; absent if it could not be created."),
  startedAt: time('Start of the release.'),
  endedAt: time('Time at which the release was completed, rolled back or superseded.'),
  reason: text('Why the release was rolled back or does not progress.'),
};
/** Conditions that block the start of workers. */
const blockers = Object.keys(conditionKinds).filter((name) => name !== 'STARTING');
const optional = ['version', 'revision', 'startedAt', 'endedAt', 'reason'];

/** Members of an endpoint in the list of endpoints. */
const endpoint: Readonly<Record<string, Schema>> = {
  id: text('Id of the endpoint, a path segment of the job interface.'),
  image: text("Container image of the workers; absent for another owner's private template."),
  template: {
    ...exactObject(
      {
        id: text('Id of the template.'),
        name: text("Name of the template; absent for another owner's private template."),
        version: count('Version of the template, incremented by each change that replaces workers.'),
        driftedFields: {
          type: 'array',
          items: { type: 'string' },
          description: 'Fields of the template that differ from its file; absent if there are none.',
        },
      },
      ['name', 'version', 'driftedFields'],
    ),
    description: 'Template that the workers run.',
  },
  minWorkers: count('Minimum number of workers.'),
  maxWorkers: count('Maximum number of workers.'),
  executionTimeout: count('Execution timeout of a job whose policy does not set one, in milliseconds.'),
  workerPrice: {
    ...exactObject({
      hour: { type: 'number', description: 'On-demand price of one worker in US dollars per hour.' },
      region: text('Region of the prices, such as `us-east-1`.'),
      date: text('Date of the oldest price, such as `2026-08-21`.'),
    }),
    description:
      'Excludes disks, traffic and unused capacity of instances. Absent if the price is unknown, such as for Spot.',
  },
  examples: {
    type: 'array',
    items: exactObject({
      name: text('Name of the example.'),
      input: anyObject('The `input` of a job.'),
    }),
    description: 'Example inputs from the endpoint file; absent if it has none.',
  },
  release: reference('Release'),
  running: {
    ...exactObject({
      template: text('Id of the template.'),
      version: count('Version of the template.'),
      revision: count("Number of the revision of the endpoint's task definition."),
      since: time('Time at which the release was completed.'),
    }),
    description:
      'The last complete release, which workers still run while `release` is in progress; absent before the first is complete.',
  },
  health: reference('Health'),
};
const optionalOfEndpoint = ['image', 'template', 'workerPrice', 'examples', 'release', 'running'];

export const managementSchemas: Readonly<Record<string, Schema>> = {
  EndpointList: exactObject({
    endpoints: {
      type: 'array',
      items: reference('Endpoint'),
      description: 'Endpoints that the caller may call.',
    },
  }),
  Endpoint: exactObject({ ...endpoint, recent: reference('Recent') }, [...optionalOfEndpoint, 'recent']),
  EndpointDetails: exactObject(
    {
      ...endpoint,
      pinTemplate: count('Version of the template that the endpoint runs; absent if it runs each new version.'),
      category: text('Kind of processors of the endpoint.', { enum: CATEGORIES }),
      protocol: text('`http` if the workers are HTTP servers, and `worker` if they ask for jobs.', {
        enum: ['worker', 'http'],
      }),
      concurrency: count(
        'Number of jobs that a worker runs at the same time; absent if the endpoint file does not set it.',
      ),
      idleTimeout: count('Time after which a worker without a job stops, in milliseconds.'),
      remedy: text('What helps against the `waitReason` of `health`; absent if only waiting does, or without one.'),
    },
    [...optionalOfEndpoint, 'pinTemplate', 'concurrency', 'remedy'],
  ),
  Release: { ...exactObject(release, optional), description: 'The last release of the endpoint.' },
  ReleaseList: exactObject(
    {
      releases: {
        type: 'array',
        items: exactObject({ ...release, template: text('Id of the template.') }, [...optional, 'template']),
        description: 'Releases, newest first.',
      },
      nextCursor: text('Cursor of the next page; absent on the last page.'),
    },
    ['nextCursor'],
  ),
  RollbackRequest: {
    type: 'object',
    description: 'The release to which the endpoint rolls back. Unknown members are ignored.',
    properties: {
      revision: {
        type: 'integer',
        minimum: 1,
        maximum: MAX_REVISION,
        description: 'Revision of the release, as in the list of releases.',
      },
      reason: changeReason,
    },
    required: ['revision'],
  },
  Rollback: exactObject({
    id: text('Id of the endpoint.'),
    restores: {
      ...exactObject({ revision: count('Its revision.'), version: count('Its version of the template.') }),
      description: 'The earlier release, whose settings the template has now.',
    },
    template: text('Id of the template.'),
    version: count('Version of the template with these settings, which is rolled out to the endpoint.'),
  }),
  Resumed: exactObject(
    {
      id: text('Id of the endpoint.'),
      backedOff: {
        type: 'boolean',
        description: 'Whether the endpoint had backed off, because several workers in a row had failed.',
      },
      reason: text(
        'The blocker, as in `waitReason` of a job, which remains until a worker starts; absent if there is none.',
        {
          enum: blockers,
        },
      ),
    },
    ['reason'],
  ),
  ...keySchemas,
  EndpointLog: exactObject({
    lines: { type: 'array', items: reference('WorkerLine'), description: 'Lines, oldest first.' },
    nextCursor: text('Cursor of the next lines, which might not exist yet.'),
  }),
  WorkerLine: exactObject(
    {
      time: time('Time at which the line was printed.'),
      source: text('Container that printed the line.', { enum: logSources }),
      worker: text('Id of the worker.'),
      message: text('The line, truncated if it is too long.', { maxLength: logLimits.message }),
      truncated: { type: 'boolean', description: '`true` if the line was truncated; absent otherwise.' },
    },
    ['truncated'],
  ),
  WorkerList: exactObject({
    workers: { type: 'array', items: reference('Worker'), description: 'Workers, sorted by id.' },
  }),
  Worker: exactObject(
    {
      id: text('Id of the ECS task, which is the `workerId` of its jobs.'),
      state: text(
        'State as in `workers` of `Health`, up to 10 s late. INITIALIZING: the container has not asked for a job yet. THROTTLED: ECS refuses protection, so the worker takes no jobs. UNHEALTHY: the lease has ended, or the container does not ask for jobs.',
        { enum: workerStates },
      ),
      since: time('Start of the state; present for IDLE workers and for UNHEALTHY workers whose lease has ended.'),
      readySince: time('Time at which the container first asked for jobs; absent before that.'),
      seenAt: time('Time of the last renewal of the lease.'),
      revision: count("Number of the revision of the endpoint's task definition that the worker runs."),
      template: text('Id of the template of the revision.'),
      version: count('Version of the template of the revision.'),
      jobs: { type: 'array', items: { type: 'string' }, description: 'Ids of the jobs that the worker holds.' },
      retiring: {
        type: 'boolean',
        description: 'Whether the worker takes no more jobs and exits after the jobs that it holds.',
      },
      unprotected: text(
        'Present while ECS refuses protection. WORKS: the worker can hold jobs. WAITS: it takes none.',
        {
          enum: ['WORKS', 'WAITS'],
        },
      ),
      ...workerJobs,
      timeline: {
        type: 'array',
        items: reference('Stage'),
        description:
          "Stages of the worker's start, from the request for the worker until `readySince`; absent if it is unknown.",
      },
    },
    ['since', 'readySince', 'revision', 'template', 'version', 'unprotected', 'lastError', 'timeline'],
  ),
  Stage: stageSchema,
  JobPlace: exactObject({
    endpoint: text('Id of the endpoint that has the job.'),
    id: text('Id of the job.'),
    status: jobStatus,
  }),
  ...alarmSchemas,
  ...historySchemas,
  ...usageSchemas,
  Session: exactObject({
    user: text('Name of the user in the user pool, or of the key.'),
    groups: { type: 'array', items: { type: 'string' }, description: 'Groups of the user; empty for a key.' },
    owner: text('Owner whose private templates the caller can see.'),
    operations: { type: 'array', items: { type: 'string' }, description: 'Operations that the caller may call.' },
    endpoints: {
      type: 'array',
      items: { type: 'string' },
      description: 'Ids of the endpoints that the caller may call; `*` means all.',
    },
  }),
  Health: healthSchema,
  ...templateSchemas,
};
