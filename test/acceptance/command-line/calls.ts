/** The commands that call a deployment, with what a test needs of each. */
import type { SchemaName } from './answers.ts';

export interface CallingCommand {
  /** Words before the arguments. */
  readonly name: string;
  /** Arguments of a call that succeeds. `JOB`, `FAILED` and `TEMPLATE` stand for ids. */
  readonly args: readonly string[];
  /** Arguments with a name that does not exist, and its error message. */
  readonly wrong?: readonly [args: readonly string[], message: string];
  /** Schema of the answer with `--json`. */
  readonly schema: SchemaName;
  /** What the answer for people contains. */
  readonly shows: string;
}

const NO_JOB = '0'.repeat(36);
const unknownEndpoint = 'There is no endpoint `ech` in this deployment. Did you mean echo? (ENDPOINT_NOT_FOUND';
const unknownJob = 'JOB_NOT_FOUND';
const unknownTemplate = 'TEMPLATE_NOT_FOUND';

export const callingCommands: readonly CallingCommand[] = [
  { name: 'endpoints ls', args: [], schema: 'management#EndpointList', shows: 'ENDPOINT' },
  {
    name: 'endpoints get',
    args: ['echo'],
    wrong: [['ech'], unknownEndpoint],
    schema: 'management#EndpointDetails',
    shows: 'Endpoint       echo',
  },
  {
    name: 'endpoints series',
    args: ['echo', '--since', '1h'],
    wrong: [['ech'], unknownEndpoint],
    schema: 'management#EndpointSeries',
    shows: 'echo',
  },
  {
    name: 'endpoints events',
    args: ['echo', '--since', '1h'],
    wrong: [['ech'], unknownEndpoint],
    schema: 'management#EventList',
    shows: 'RELEASE',
  },
  { name: 'alarms ls', args: ['--all'], schema: 'management#AlarmList', shows: 'ALARM' },
  {
    name: 'cost actual',
    args: ['--since', '1d', '--by', 'endpoint,day,key'],
    wrong: [['--endpoint', 'Ech'], 'ENDPOINT_NOT_FOUND'],
    schema: 'management#Costs',
    shows: 'Summed up to',
  },
  {
    name: 'endpoints purge',
    args: ['echo-http', '--yes'],
    wrong: [['ech', '--yes'], unknownEndpoint],
    schema: 'jobs#PurgeResult',
    shows: '0 jobs of echo-http are removed.',
  },
  {
    name: 'run',
    args: ['echo', '--input', '{"text":"hello"}'],
    wrong: [['ech', '--input', '{}'], unknownEndpoint],
    schema: 'jobs#Acknowledgement',
    shows: 'Its state: npx gpu-endpoints jobs get ',
  },
  {
    name: 'jobs ls',
    args: ['echo'],
    wrong: [['ech'], unknownEndpoint],
    schema: 'jobs#JobList',
    shows: 'WORKER_ERROR',
  },
  {
    name: 'jobs ls',
    args: ['echo', '--since', '1h', '--failed'],
    wrong: [['Ech', '--since', '1h'], 'ENDPOINT_NOT_FOUND'],
    schema: 'management#EndedJobList',
    shows: 'It broke.',
  },
  {
    name: 'jobs get',
    args: ['FAILED'],
    wrong: [[NO_JOB], unknownJob],
    schema: 'jobs#JobRecord',
    shows: 'Error     It broke.',
  },
  {
    name: 'jobs retry',
    args: ['FAILED'],
    wrong: [[NO_JOB], unknownJob],
    schema: 'jobs#Acknowledgement',
    shows: 'is IN_QUEUE.',
  },
  {
    name: 'jobs cancel',
    args: ['JOB'],
    wrong: [[NO_JOB, '--endpoint', 'echo'], unknownJob],
    schema: 'jobs#Acknowledgement',
    shows: 'is CANCELLED.',
  },
  {
    name: 'logs',
    args: ['echo', '--job', 'FAILED'],
    wrong: [['echo', '--job', NO_JOB], unknownJob],
    schema: 'jobs#LogLine',
    shows: 'Job taken.',
  },
  {
    name: 'workers ls',
    args: ['echo'],
    wrong: [['ech'], unknownEndpoint],
    schema: 'management#WorkerList',
    shows: 'WORKER',
  },
  {
    name: 'releases ls',
    args: ['echo'],
    wrong: [['ech'], unknownEndpoint],
    schema: 'management#ReleaseList',
    shows: 'RELEASE',
  },
  {
    name: 'releases rollback',
    args: ['ROLLED', '--reason', 'It is slow.'],
    wrong: [['ech', '1'], unknownEndpoint],
    schema: 'management#Rollback',
    shows: 'rolls back to release ',
  },
  { name: 'templates ls', args: [], schema: 'management#TemplateList', shows: 'TEMPLATE' },
  {
    name: 'templates get',
    args: ['echo'],
    wrong: [['ech'], unknownTemplate],
    schema: 'management#TemplateInUse',
    shows: 'Template     echo',
  },
  {
    name: 'templates update',
    args: ['TEMPLATE', '--fields', '{"imageName":"team/chat:1.1"}'],
    wrong: [['nothing', '--fields', '{}'], unknownTemplate],
    schema: 'management#Template',
    shows: 'team/chat:1.1',
  },
  {
    name: 'templates delete',
    args: ['TEMPLATE'],
    wrong: [['nothing'], unknownTemplate],
    schema: 'management#RemovedTemplate',
    shows: 'is deleted.',
  },
  {
    name: 'webhooks ls',
    args: ['echo'],
    wrong: [['ech'], unknownEndpoint],
    schema: 'jobs#WebhookList',
    shows: 'echo has no failed deliveries.',
  },
];
