/** Why what releases and follows them may do what it may do. */
import type { Reason } from './reasons.ts';

const [FIRST, RELEASE, ROLLOUT, SWEEP, OBSERVE] = [
  'Platform/ReleasesFirst',
  'Platform/ReleasesRelease',
  'Platform/ReleasesRollout',
  'Platform/SweeperSweep',
  'Platform/FleetEventsObserve',
] as const;

const MAKES =
  'Makes a revision from the blueprint of the stack; families come with endpoints, and what may be passed is bounded.';
const FINDS = 'Finds the ARNs of the secrets that the template names; it cannot read them.';
const PASSES =
  'Hands tasks the roles of their endpoint; only roles under the path of workers, and only to tasks of ECS.';
const WITHDRAWS =
  'Withdraws revisions that were superseded or rolled back, and all of an endpoint whose stack goes; IAM knows no narrower resource.';
const LISTS = 'Finds the revisions that are to be withdrawn; IAM knows no narrower resource.';
const HISTORY = 'Writes the history of releases.';
/** Each of them does what another has begun and not ended. */
const INSTEAD = 'another function has to have died in the middle of a release, or to be slower.';

export const releaseReasons: readonly Reason[] = [
  {
    roles: [RELEASE, ROLLOUT],
    actions: ['dynamodb:Query'],
    resources: ['workers table'],
    why: 'Looks whether a worker holds a job that ECS does not protect: then the service is left as it is.',
  },
  {
    roles: [FIRST, RELEASE, ROLLOUT],
    actions: ['dynamodb:UpdateItem'],
    resources: ['endpoints table'],
    why: 'Notes what the service is to run, and forgets it when the stack goes.',
  },
  {
    roles: [RELEASE, ROLLOUT, 'Platform/ReleasesLiveCount'],
    actions: ['dynamodb:Query'],
    resources: ['endpoints table'],
    why: 'Reads the endpoint: its service, and what that shall run.',
  },
  {
    roles: [FIRST],
    actions: ['dynamodb:Query'],
    resources: ['endpoints table'],
    why: 'Reads what the service runs, of an endpoint that its stack moves to another launch type.',
    seldom: 'a deployment has to change the capacity of an endpoint.',
  },
  {
    roles: [FIRST, RELEASE, ROLLOUT, SWEEP],
    actions: ['dynamodb:GetItem'],
    resources: ['templates table'],
    why: 'Reads the template that the endpoint runs, and who uses it.',
  },
  {
    roles: [FIRST, RELEASE, ROLLOUT],
    actions: ['ecs:DescribeTaskDefinition', 'ecs:RegisterTaskDefinition'],
    resources: ['no resource'],
    why: MAKES,
  },
  {
    roles: [SWEEP],
    actions: ['ecs:DescribeTaskDefinition', 'ecs:RegisterTaskDefinition'],
    resources: ['no resource'],
    why: MAKES,
    seldom: INSTEAD,
  },
  {
    roles: [ROLLOUT],
    actions: ['secretsmanager:DescribeSecret'],
    resources: ['secrets of variables', 'logins of registries'],
    why: FINDS,
  },
  {
    roles: [FIRST, RELEASE],
    actions: ['secretsmanager:DescribeSecret'],
    resources: ['secrets of variables', 'logins of registries'],
    why: FINDS,
    unused: 'It takes an endpoint that is deployed with a template that names some.',
  },
  {
    roles: [SWEEP],
    actions: ['secretsmanager:DescribeSecret'],
    resources: ['secrets of variables', 'logins of registries'],
    why: FINDS,
    seldom: INSTEAD,
  },
  {
    roles: [FIRST, RELEASE, ROLLOUT],
    actions: ['iam:PassRole'],
    resources: ['roles of workers'],
    why: PASSES,
  },
  {
    roles: [OBSERVE],
    actions: ['iam:PassRole'],
    resources: ['roles of workers'],
    why: PASSES,
    seldom:
      "ECS's circuit breaker has to be slower: it does not see workers that run and end before they ask for a job.",
  },
  { roles: [SWEEP], actions: ['iam:PassRole'], resources: ['roles of workers'], why: PASSES, seldom: INSTEAD },
  {
    roles: [FIRST],
    actions: ['ecs:DeregisterTaskDefinition'],
    resources: ['no resource'],
    why: WITHDRAWS,
  },
  {
    roles: [RELEASE, ROLLOUT, SWEEP, OBSERVE],
    actions: ['ecs:DeregisterTaskDefinition'],
    resources: ['no resource'],
    why: WITHDRAWS,
    seldom: INSTEAD,
  },
  {
    roles: [FIRST],
    actions: ['ecs:ListTaskDefinitions'],
    resources: ['no resource'],
    why: LISTS,
  },
  {
    roles: [RELEASE, ROLLOUT, SWEEP, OBSERVE],
    actions: ['ecs:ListTaskDefinitions'],
    resources: ['no resource'],
    why: LISTS,
    seldom: INSTEAD,
  },
  {
    roles: [RELEASE, ROLLOUT, SWEEP, OBSERVE],
    actions: ['ecs:DescribeServices', 'ecs:UpdateService'],
    resources: ['services of the cluster'],
    why: 'Asks how far a release is, and tells the service what to run and how many workers; services come with endpoints.',
  },
  {
    roles: [RELEASE, ROLLOUT],
    actions: ['dynamodb:PutItem'],
    resources: ['releases table'],
    why: HISTORY,
  },
  {
    roles: [SWEEP, OBSERVE],
    actions: ['dynamodb:PutItem'],
    resources: ['releases table'],
    why: HISTORY,
    seldom: INSTEAD,
  },
  {
    roles: [RELEASE, ROLLOUT, SWEEP, OBSERVE],
    actions: ['dynamodb:UpdateItem'],
    resources: ['releases table'],
    why: HISTORY,
    seldom: INSTEAD,
  },
  {
    roles: [FIRST],
    actions: ['dynamodb:Query', 'dynamodb:UpdateItem'],
    resources: ['releases table'],
    why: 'Has the history of an endpoint whose stack goes expire.',
  },
  {
    roles: [OBSERVE],
    actions: ['dynamodb:GetItem'],
    resources: ['releases table'],
    why: 'Finds the template of a worker that has stopped by its revision.',
  },
  {
    roles: [OBSERVE],
    actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
    resources: ['templates table'],
    why: 'Adds how long a worker ran to its template, once.',
  },
  {
    roles: [ROLLOUT],
    actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
    resources: ['stream of the templates table'],
    why: 'Lambda reads the stream with the role of the function.',
  },
  {
    roles: [ROLLOUT],
    actions: ['dynamodb:ListStreams'],
    resources: ['no resource'],
    why: 'Lambda asks for it when it begins to read a stream; IAM knows no narrower resource.',
  },
  {
    roles: [ROLLOUT],
    actions: ['sqs:SendMessage'],
    resources: ["rollout's dead letters"],
    why: 'Lambda puts aside what the function fails on, with the role of the function.',
  },
  {
    roles: [ROLLOUT],
    actions: ['sqs:GetQueueAttributes', 'sqs:GetQueueUrl'],
    resources: ["rollout's dead letters"],
    why: 'They come with the permission to send.',
    unused: "CDK's `SqsDlq` grants them with `sqs:SendMessage`.",
  },
];
