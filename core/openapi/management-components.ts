/** The shapes of the management interface by name. */
import { conditionKinds } from '../endpoints/fleet-state.ts';
import { releaseStates } from '../endpoints/release-summary.ts';
import { jobStatuses } from '../jobs/job.ts';
import { workerStates } from '../workers/lease.ts';
import { healthSchema } from './health.ts';
import { keySchemas } from './key-schemas.ts';
import { count, record, reference, type Schema, text } from './schema.ts';
import { templateSchemas } from './template-schemas.ts';

const time = (description: string) => text(description, { format: 'date-time' });

const release: Readonly<Record<string, Schema>> = {
  state: text('How far it is; ROLLED_BACK if the workers are again what they were before it.', { enum: releaseStates }),
  version: count('Version of the template; absent of an endpoint that was deployed before there were templates.'),
  revision: count("Number of the revision of the endpoint's task definition; absent if none could be made."),
  startedAt: time('When it was released; absent of one from before there was a history.'),
  endedAt: time('When it was complete, rolled back or superseded.'),
  reason: text('Why it was rolled back, or does not progress.'),
};
/** Conditions other than a start that goes well. */
const blockers = Object.keys(conditionKinds).filter((name) => name !== 'STARTING');
const optional = ['version', 'revision', 'startedAt', 'endedAt', 'reason'];

export const managementSchemas: Readonly<Record<string, Schema>> = {
  EndpointList: record({ endpoints: { type: 'array', items: reference('Endpoint') } }),
  Endpoint: record(
    {
      id: text('Path segment of the job interface.'),
      image: text("Container image of the workers; absent of another owner's private template."),
      template: record(
        {
          id: text('Names the template.'),
          name: text("Absent of another owner's private template."),
          version: count('Raised by each change that replaces workers.'),
        },
        ['name', 'version'],
      ),
      minWorkers: count('Workers that are always there.'),
      maxWorkers: count('The most that are started.'),
      executionTimeout: count('Longest run of a job that does not say otherwise, in ms.'),
      workerPrice: {
        ...record({
          hour: { type: 'number', description: 'US dollars that one worker costs an hour, on demand.' },
          region: text('Region of the prices, such as `us-east-1`.'),
          date: text('Day of the oldest of them, such as `2026-08-21`.'),
        }),
        description:
          'Without disks, traffic and empty room of instances; absent where no price is known, such as for Spot.',
      },
      examples: {
        type: 'array',
        items: record({
          name: text('What the example shows.'),
          input: { type: 'object', description: 'An `input` of a job, as JSON.' },
        }),
        description: 'Inputs that the file of the endpoint shows its users; absent if it has none.',
      },
      release: reference('Release'),
      health: reference('Health'),
    },
    ['image', 'template', 'workerPrice', 'examples', 'release'],
  ),
  Release: { ...record(release, optional), description: 'The last release: what workers were last set to run.' },
  ReleaseList: record(
    {
      releases: {
        type: 'array',
        items: record({ ...release, template: text('Id of the template.') }, [...optional, 'template']),
        description: 'The newest first.',
      },
      nextCursor: text('Cursor of the next page; absent on the last page.'),
    },
    ['nextCursor'],
  ),
  Resumed: record(
    {
      id: text('Id of the endpoint.'),
      backedOff: { type: 'boolean', description: 'Whether it started no more workers, because several had failed.' },
      reason: text('What had kept workers from becoming ready, as `waitReason` of a job; absent if nothing had.', {
        enum: blockers,
      }),
    },
    ['reason'],
  ),
  ...keySchemas,
  WorkerList: record({
    workers: { type: 'array', items: reference('Worker'), description: 'By id.' },
  }),
  Worker: record(
    {
      id: text('Id of the ECS task: `workerId` of its jobs.'),
      state: text(
        'The words of `workers` in `Health`; a lease says it up to 10 s late. INITIALIZING: its container has not asked for a job yet. THROTTLED: ECS refuses to protect it, so it takes no job. UNHEALTHY: not heard of for longer than a lease.',
        { enum: workerStates },
      ),
      since: time('Since when it is in this state; known of one that is IDLE or UNHEALTHY.'),
      readySince: time('Since when its container asks for jobs; absent before it has.'),
      seenAt: time('When it was heard of last.'),
      revision: count("Number of the revision of the endpoint's task definition that it runs."),
      template: text('Id of the template of that revision.'),
      version: count('Version of that template.'),
      jobs: { type: 'array', items: { type: 'string' }, description: 'Ids of the jobs that it holds.' },
      retiring: { type: 'boolean', description: 'Whether it takes no more jobs and ends with those that it holds.' },
      unprotected: text('While ECS refuses to protect it: whether it may hold jobs all the same.', {
        enum: ['WORKS', 'WAITS'],
      }),
    },
    ['since', 'readySince', 'revision', 'template', 'version', 'unprotected'],
  ),
  JobPlace: record({
    endpoint: text('Id of the endpoint of the job.'),
    id: text('Names the job.'),
    status: { type: 'string', enum: jobStatuses },
  }),
  Session: record({
    user: text('Name of the user in the user pool, or of the key.'),
    groups: { type: 'array', items: { type: 'string' }, description: 'Groups of the user; a key has none.' },
    owner: text('Whose private templates the caller sees.'),
    operations: { type: 'array', items: { type: 'string' }, description: 'Operations that the caller may call.' },
    endpoints: {
      type: 'array',
      items: { type: 'string' },
      description: 'Ids of the endpoints that the caller may call; `*` is every one.',
    },
  }),
  Health: healthSchema,
  ...templateSchemas,
};
