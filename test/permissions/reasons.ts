/** Why each role may do what it may do: `docs/permissions.md` is made of this, and the templates are held against it. */

import { consoleReasons } from './console-reasons.ts';
import { expiryReasons } from './expiry-reasons.ts';
import { instanceReasons } from './instance-reasons.ts';
import { releaseReasons } from './release-reasons.ts';
import { type Role, roles } from './roles.ts';
import { templateReasons } from './template-reasons.ts';
import { webhookReasons } from './webhook-reasons.ts';
import { workerReasons } from './worker-reasons.ts';

export interface Reason {
  readonly roles: readonly Role[];
  readonly actions: readonly string[];
  /** Every action may be done on every one of them. */
  readonly resources: readonly string[];
  readonly why: string;
  /** Why it is granted although nothing uses it on a laptop. */
  readonly unused?: string;
  /** When it is used, of what one function does in the place of another that is mostly quicker. */
  readonly seldom?: string;
}

/** They are of services, which log nothing, or have a role that does it for them. */
const ofServices: readonly Role[] = [
  'Platform/WebhooksPipe',
  'Platform/WebhooksDelivery',
  'Platform/SweeperExpiry',
  'Platform/IngressTaskTask',
  'Platform/IngressTaskExecution',
];
const functions = (Object.keys(roles) as Role[]).filter(
  (role) => role.startsWith('Platform/') && !ofServices.includes(role),
);
const messages = ['queues of normal jobs', 'queues of low-priority jobs'];

export const reasons: readonly Reason[] = [
  // What requests need.
  {
    roles: ['Platform/AuthorizerAuthorize', 'Platform/IngressTaskTask'],
    actions: ['dynamodb:GetItem'],
    resources: ['keys table'],
    why: 'Looks the key up by the hash of its secret. The ingress does so for large bodies, which come past API Gateway.',
  },
  {
    roles: [
      'Platform/AuthorizerAuthorize',
      'Platform/IngressTaskTask',
      'Platform/JobsRun',
      'Platform/JobsStatus',
      'Platform/JobsInput',
      'Platform/JobsLogs',
      'Platform/JobsCancel',
      'Platform/JobsRetry',
      'Platform/JobsPurgeQueue',
      'Platform/JobsRequests',
      'Platform/JobsWebhooks',
      'Platform/JobsResend',
      'Platform/JobsHealth',
    ],
    actions: ['dynamodb:Query'],
    resources: ['endpoints table'],
    why: 'Reads the endpoint that the request is about.',
  },
  {
    roles: ['Platform/IngressTaskTask'],
    actions: ['dynamodb:UpdateItem'],
    resources: ['endpoints table'],
    why: 'Takes a slot before the call waits, and releases it; says that the task lives, whose slots are free soon after its death; counts requests that take the direct way. In the partitions of slots and of these counts alone.',
  },
  {
    roles: ['Platform/IngressTaskTask'],
    actions: ['dynamodb:DeleteItem'],
    resources: ['endpoints table'],
    why: 'Removes what tasks that are dead have said of themselves; in the partitions of slots alone.',
    seldom: 'it does so when it starts, some eight minutes after the death of another task.',
  },
  {
    roles: ['Platform/IngressTaskTask'],
    actions: ['dynamodb:BatchGetItem'],
    resources: ['jobs table'],
    why: 'Looks at the job while calls wait for it, together with the jobs of other calls of the process.',
  },
  {
    roles: ['Platform/IngressTaskTask', 'Platform/JobsRun'],
    actions: ['dynamodb:PutItem'],
    resources: ['jobs table', 'payloads table'],
    why: 'Stores the job, and before it an input of more than 200 bytes, a long address of a webhook, a sealed `s3Config`, and the claim of an `Idempotency-Key`.',
  },
  {
    roles: ['Platform/JobsRun'],
    actions: ['dynamodb:GetItem'],
    resources: ['jobs table'],
    why: 'Looks whether the job of a repeated `Idempotency-Key` is stored.',
  },
  {
    roles: ['Platform/IngressTaskTask', 'Platform/JobsRun'],
    actions: ['s3:PutObject'],
    resources: ['all payload objects'],
    why: 'Stores an input of more than 7 KB.',
  },
  {
    roles: ['Platform/IngressTaskTask', 'Platform/JobsRun'],
    actions: ['kms:GenerateDataKey'],
    resources: ['key of secrets'],
    why: 'Makes the data key by which it seals the `s3Config` of a job; to open one takes another permission.',
  },
  {
    roles: ['Platform/IngressTaskTask', 'Platform/JobsRun', 'Platform/JobsRetry'],
    actions: ['sqs:SendMessage'],
    resources: messages,
    why: 'Sends the message of the job; the queues of every endpoint allow it.',
  },
  {
    roles: ['Platform/IngressTaskTask', 'Platform/JobsStatus'],
    actions: ['dynamodb:GetItem'],
    resources: ['jobs table', 'payloads table'],
    why: 'Reads the job, and an output, error or chunk of more than 200 bytes.',
  },
  {
    roles: ['Platform/IngressTaskTask', 'Platform/JobsStatus'],
    actions: ['dynamodb:Query'],
    resources: ['arrivals table', 'workers table'],
    why: 'Tells where a job stands that waits, and why: counts those that came before it, and reads the leases of workers.',
  },
  {
    roles: ['Platform/JobsInput'],
    actions: ['dynamodb:GetItem'],
    resources: ['jobs table', 'payloads table'],
    why: 'Reads the job, and an input of more than 200 bytes.',
  },
  {
    roles: ['Platform/JobsInput'],
    actions: ['s3:GetObject'],
    resources: ['all payload objects'],
    why: 'Reads an input of more than 7 KB.',
  },
  {
    roles: ['Platform/JobsLogs'],
    actions: ['logs:FilterLogEvents'],
    resources: ['log groups of workers'],
    why: 'Searches what the worker and its agent have printed. Endpoints come and go without the stack of this function, so it may search the groups of all of them, by the names that CloudFormation gives them, and no other group.',
  },
  {
    roles: ['Platform/JobsLogs'],
    actions: ['dynamodb:GetItem'],
    resources: ['jobs table'],
    why: 'Reads the job: which attempt runs, and who runs it.',
  },
  {
    roles: ['Platform/IngressTaskTask'],
    actions: ['dynamodb:Query'],
    resources: ['payloads table'],
    why: 'Lists the chunks of the job.',
  },
  {
    roles: ['Platform/IngressTaskTask'],
    actions: ['dynamodb:UpdateItem'],
    resources: ['payloads table'],
    why: 'Stores how far the chunks were given, where `/stream` gives each once.',
  },
  {
    roles: ['Platform/IngressTaskTask', 'Platform/JobsStatus'],
    actions: ['s3:GetObject'],
    resources: ['all payload objects'],
    why: 'Reads an output, error or chunk of more than 7 KB.',
  },
  {
    roles: [
      'Platform/IngressTaskTask',
      'Platform/JobsStatus',
      'Platform/JobsInput',
      'Platform/JobsLogs',
      'Platform/JobsRequests',
    ],
    actions: ['dynamodb:UpdateItem'],
    resources: ['jobs table'],
    why: 'Stores the end of a job whose time is over before it tells it; `/status` lets a result expire sooner, too.',
  },
  {
    roles: ['Platform/JobsCancel', 'Platform/JobsRetry'],
    actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    resources: ['jobs table'],
    why: 'Reads the job and ends it, or lets it wait again.',
  },
  {
    roles: ['Platform/JobsRetry'],
    actions: ['dynamodb:GetItem', 'dynamodb:PutItem'],
    resources: ['payloads table'],
    why: 'Writes an input of more than 200 bytes, a long address of a webhook and a sealed `s3Config` again, so that they are kept for longer.',
  },
  {
    roles: ['Platform/JobsRetry'],
    actions: ['s3:GetObject', 's3:PutObject'],
    resources: ['all payload objects'],
    why: 'Writes an input of more than 7 KB again, so that it is kept for longer.',
  },
  {
    roles: ['Platform/JobsPurgeQueue'],
    actions: ['dynamodb:UpdateItem'],
    resources: ['endpoints table'],
    why: 'Counts the calls of the last 10 seconds, and raises the generation of the queue: what waits in an older one is purged.',
  },
  {
    roles: ['Platform/JobsCancel', 'Platform/JobsRequests'],
    actions: ['dynamodb:UpdateItem'],
    resources: ['endpoints table'],
    why: 'Counts the calls of the last 10 seconds.',
  },
  {
    roles: ['Platform/JobsRequests'],
    actions: ['dynamodb:Query'],
    resources: ['jobs table'],
    why: 'Lists the jobs of the endpoint.',
  },
  {
    roles: ['Platform/JobsHealth'],
    actions: ['dynamodb:Query'],
    resources: ['workers table'],
    why: 'Counts the workers by their leases.',
  },
  {
    roles: ['Platform/ManagementEndpoints'],
    actions: ['dynamodb:Scan'],
    resources: ['endpoints table'],
    why: 'Lists the endpoints.',
  },
  {
    roles: ['Platform/ManagementEndpoints'],
    actions: ['dynamodb:Query'],
    resources: ['workers table'],
    why: 'Counts the workers of each endpoint by their leases.',
  },
  {
    roles: ['Platform/ManagementEndpoints'],
    actions: ['dynamodb:GetItem'],
    resources: ['templates table'],
    why: 'Reads what each endpoint is to run.',
  },
  {
    roles: ['Platform/ManagementReleases'],
    actions: ['dynamodb:Query'],
    resources: ['endpoints table', 'releases table'],
    why: 'Reads the endpoint that the request is about, and lists its releases.',
  },
  {
    roles: ['Platform/ManagementResume'],
    actions: ['dynamodb:Query', 'dynamodb:UpdateItem'],
    resources: ['endpoints table'],
    why: 'Reads the endpoint, and removes what is noted of failed workers and of a release that was rolled back.',
  },
  {
    roles: ['Platform/ManagementListKeys', 'Platform/ManagementRevokeKey'],
    actions: ['dynamodb:Scan'],
    resources: ['keys table'],
    why: 'Lists the keys; the key to revoke is found among them by its id.',
  },
  {
    roles: ['Platform/ManagementCreateKey'],
    actions: ['dynamodb:PutItem'],
    resources: ['keys table'],
    why: 'Stores the hash of a new key, and what it may do.',
  },
  {
    roles: ['Platform/ManagementRevokeKey'],
    actions: ['dynamodb:DeleteItem'],
    resources: ['keys table'],
    why: 'Removes the key.',
  },
  {
    roles: ['Platform/ManagementWorkers'],
    actions: ['dynamodb:Query'],
    resources: ['endpoints table', 'workers table'],
    why: 'Reads the endpoint that the request is about, and lists the leases of its workers.',
  },
  {
    roles: ['Platform/ManagementWorkers'],
    actions: ['dynamodb:GetItem'],
    resources: ['releases table'],
    why: 'Reads which version of a template the revision of a worker was released with.',
  },
  {
    roles: ['Platform/ManagementFindJob'],
    actions: ['dynamodb:Scan', 'dynamodb:Query'],
    resources: ['endpoints table'],
    why: 'Lists the endpoints, in each of which the job may be, and reads that of a job that waits: a purge may have ended it.',
  },
  {
    roles: ['Platform/ManagementFindJob'],
    actions: ['dynamodb:BatchGetItem'],
    resources: ['jobs table'],
    why: 'Looks for the job in all endpoints at once: an id does not say in which one it is.',
  },
  {
    roles: ['Platform/ManagementFindJob'],
    actions: ['dynamodb:UpdateItem'],
    resources: ['jobs table'],
    why: 'Stores the end of a job whose time is over before it tells it.',
  },
  {
    roles: ['Platform/EndpointsRegister'],
    actions: ['dynamodb:PutItem', 'dynamodb:DeleteItem'],
    resources: ['endpoints table'],
    why: 'Writes the record when the stack of an endpoint is deployed, and removes it when the stack goes.',
  },

  ...releaseReasons,
  {
    roles: ['Platform/ReleasesLiveCount'],
    actions: ['ecs:DescribeServices'],
    resources: ['services of the cluster'],
    why: 'Asks how many workers there are before a deployment changes the service.',
  },

  // What follows from jobs, from time, and from tasks that stop.
  {
    roles: ['Platform/LedgerRecord'],
    actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
    resources: ['stream of the jobs table'],
    why: 'Lambda reads the stream with the role of the function.',
  },
  {
    roles: ['Platform/LedgerRecord'],
    actions: ['dynamodb:ListStreams'],
    resources: ['no resource'],
    why: 'Lambda asks for it when it begins to read a stream; IAM knows no narrower resource.',
  },
  {
    roles: ['Platform/LedgerRecord'],
    actions: ['sqs:SendMessage'],
    resources: ["ledger's dead letters"],
    why: 'Lambda puts aside a batch that the function fails on, with the role of the function.',
    seldom:
      'the function has to end, or to take too long, each time that a batch is repeated: what it cannot record it sets aside.',
  },
  {
    roles: ['Platform/LedgerRecord'],
    actions: ['sqs:GetQueueAttributes', 'sqs:GetQueueUrl'],
    resources: ["ledger's dead letters"],
    why: 'They come with the permission to send.',
    unused:
      "CDK's `SqsDlq` grants them with `sqs:SendMessage`; they tell the address and the settings of one queue and change nothing.",
  },
  {
    roles: ['Platform/LedgerRecord'],
    actions: ['dynamodb:PutItem'],
    resources: ['deadlines table'],
    why: 'Notes when jobs and deliveries become due.',
  },
  {
    roles: ['Platform/LedgerRecord'],
    actions: ['dynamodb:UpdateItem'],
    resources: ['arrivals table'],
    why: 'Counts the jobs that wait by when they came.',
  },
  {
    roles: ['Platform/LedgerRecord', 'Platform/SweeperSweep'],
    actions: ['dynamodb:Query', 'dynamodb:UpdateItem'],
    resources: ['endpoints table'],
    why: 'Reads the endpoint, and writes its counters and the number of its workers.',
  },
  {
    roles: ['Platform/LedgerRecord'],
    actions: ['ecs:UpdateService'],
    resources: ['services of the cluster'],
    why: 'Tells ECS the number of workers; services come with endpoints, so the cluster bounds them.',
  },
  {
    roles: ['Platform/SweeperSweep', 'Platform/FleetEventsObserve'],
    actions: ['dynamodb:Scan'],
    resources: ['endpoints table'],
    why: 'Lists the endpoints: to sweep each, or to find the one of a service.',
  },
  {
    roles: ['Platform/SweeperSweep'],
    actions: ['dynamodb:Query', 'dynamodb:DeleteItem'],
    resources: ['deadlines table', 'workers table'],
    why: 'Finds what is due and which leases have ended, and removes what is done with.',
  },
  {
    roles: ['Platform/SweeperSweep'],
    actions: ['dynamodb:GetItem'],
    resources: ['workers table'],
    why: 'Reads a lease that has ended once more: the list that it was in may be a moment old.',
  },
  {
    roles: ['Platform/SweeperSweep', 'Platform/FleetEventsObserve'],
    actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    resources: ['jobs table'],
    why: 'Brings back the jobs of lost workers, and ends those that are over.',
  },
  {
    roles: ['Platform/SweeperSweep'],
    actions: ['dynamodb:Query'],
    resources: ['jobs table'],
    why: 'Counts the jobs of an endpoint once a day, to compare the counters.',
  },
  {
    roles: ['Platform/SweeperSweep', 'Platform/FleetEventsObserve'],
    actions: ['sqs:SendMessage'],
    resources: messages,
    why: 'Sends the message of a job that is requeued; the queues of every endpoint allow it.',
  },
  {
    roles: ['Platform/FleetEventsObserve'],
    actions: ['dynamodb:Query', 'dynamodb:UpdateItem'],
    resources: ['endpoints table'],
    why: 'Reads the generation that a job joins when it comes back, and notes why workers do not come and how many are asked for.',
  },
  {
    roles: ['Platform/FleetEventsObserve'],
    actions: ['dynamodb:GetItem', 'dynamodb:DeleteItem'],
    resources: ['workers table'],
    why: 'Reads which jobs the worker held and whether it was ready, and removes its lease.',
  },
  {
    roles: ['Platform/FleetEventsObserve'],
    actions: ['dynamodb:Query'],
    resources: ['workers table'],
    why: 'Counts workers: those that are ready while an endpoint backs off, and those that are there when an instance is not.',
  },

  ...consoleReasons,

  ...expiryReasons,
  ...templateReasons,
  ...webhookReasons,
  ...workerReasons,

  // What AWS does with the roles and this machine does not.
  {
    roles: functions,
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: ['its log group'],
    why: 'Lambda writes what the function logs.',
    unused: 'On a laptop logs are files.',
  },
  {
    roles: ['Platform/IngressTaskExecution', 'Endpoint/WorkersTaskExecution'],
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: ['its log group'],
    why: 'ECS writes what the containers log.',
    unused: 'On a laptop the program that starts the containers keeps what they print.',
  },
  {
    roles: ['Platform/IngressTaskExecution', 'Endpoint/WorkersTaskExecution'],
    actions: ['ecr:BatchCheckLayerAvailability', 'ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer'],
    resources: ['repository of the images'],
    why: 'ECS pulls the images that the deployment has built.',
    unused: 'On a laptop images are commands.',
  },
  {
    roles: ['Endpoint/WorkersTaskExecution'],
    actions: ['ecr:BatchCheckLayerAvailability', 'ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer'],
    resources: ['all repositories'],
    why: 'ECS pulls the images that templates name at run time; repositories of other accounts say themselves whom they let.',
    unused: 'On a laptop images are commands.',
  },
  {
    roles: ['Platform/IngressTaskExecution', 'Endpoint/WorkersTaskExecution'],
    actions: ['ecr:GetAuthorizationToken'],
    resources: ['no resource'],
    why: 'ECS logs in to the registry; IAM knows no narrower resource.',
    unused: 'On a laptop images are commands.',
  },
  ...instanceReasons,
];
