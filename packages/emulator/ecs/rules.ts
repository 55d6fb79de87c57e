/**
 * The rules of ECS that this folder follows. The code takes its numbers and messages from this table. `source` is the
 * title of the AWS page, or the reason for a rule that no page documents. `test` is the test of the rule.
 */
import { launchRules } from './launch-rules.ts';
import { loadBalancerRules } from './load-balancer-rules.ts';
import type { Rule } from './rule.ts';
import { secretRules } from './secret-rules.ts';

const PROTECTION = 'Amazon ECS task scale-in protection endpoint (Amazon ECS Developer Guide)';
const CONSIDERATIONS = 'Protect your Amazon ECS tasks from being terminated by scale-in events (Developer Guide)';
const RESTART = 'ContainerRestartPolicy (Amazon ECS API Reference)';
const LIFECYCLE = 'Amazon ECS task lifecycle (Developer Guide)';
const ROLLING = 'DeploymentConfiguration (Amazon ECS API Reference)';
const BREAKER = 'How the Amazon ECS deployment circuit breaker detects failures (Developer Guide)';
const DEPLOYMENT = 'Deployment (Amazon ECS API Reference)';
const STOPPED = 'Amazon ECS stopped tasks error messages, and TaskStopCode in the API Reference';

export const rules = {
  protectionPeriod: {
    rule: 'Protection lasts 120 minutes by default, at least 1 and at most 2880.',
    value: { default: 120, min: 1, max: 2880 },
    source: PROTECTION,
    test: ['task-protection.test.ts', 'lasts two hours by default'],
  },
  protectionRenewed: {
    rule: 'Protecting a protected task restarts the period.',
    source: 'UpdateTaskProtection (Amazon ECS API Reference)',
    test: ['task-protection.test.ts', 'restarts its period with every call'],
  },
  protectionBlocked: {
    rule: 'Tasks above the desired count cannot be protected, and their protection cannot be renewed.',
    value: 'DEPLOYMENT_BLOCKED',
    source: CONSIDERATIONS,
    test: ['task-protection.test.ts', 'is refused for more tasks than the service desires'],
  },
  protectionOfStopping: {
    rule: 'A task that is being stopped cannot be protected.',
    value: 'TASK_NOT_VALID',
    source:
      'Amazon ECS API failure reasons has TASK_NOT_VALID for tasks that cannot have protection. AWS does ' +
      'not document it as the reason for a task that is being stopped',
    test: ['task-protection.test.ts', 'is refused for a task that is being stopped'],
  },
  protectionIsOfScaleIn: {
    rule: 'Protection prevents scale-in only. StopTask and the exit of an essential container stop a protected task.',
    source: CONSIDERATIONS,
    test: ['ecs-api.test.ts', 'stops a protected task with StopTask, and the service replaces it'],
  },
  protectionPermission: {
    rule: 'The endpoint calls ECS with the task role, which needs ecs:UpdateTaskProtection and ecs:GetTaskProtection.',
    source: CONSIDERATIONS,
    test: ['task-protection.test.ts', 'requires a permission of the task role'],
  },
  unknown: {
    rule: 'Operations on several resources return the missing resources as failures.',
    value: 'MISSING',
    source: 'Amazon ECS API failure reasons (Developer Guide)',
    test: ['ecs-api.test.ts', 'names missing services and tasks in DescribeServices and DescribeTasks'],
  },
  revisions: {
    rule: 'Each registration is the next revision of its family. Numbers begin with 1 and are never reused.',
    source:
      'RegisterTaskDefinition (Amazon ECS API Reference), and Amazon ECS task definition states (Developer Guide)',
    test: ['task-definitions.test.ts', 'is numbered within its family, and never changes'],
  },
  latestActive: {
    rule: 'A family name selects its latest active revision at the time of the call; a service stores the ARN.',
    source: 'UpdateService and DescribeTaskDefinition (Amazon ECS API Reference)',
    test: ['task-definitions.test.ts', 'is the latest active revision if a call names only the family'],
  },
  inactive: {
    rule: 'A deregistered revision can be described, and its tasks keep running; a service cannot be updated to it.',
    value: 'TaskDefinition is inactive',
    source: 'DeregisterTaskDefinition (Amazon ECS API Reference)',
    test: ['task-definitions.test.ts', 'can be described while inactive, but no service can be updated to it'],
  },
  passedRoles: {
    rule: 'A caller that registers a task definition, or updates a service to one, must be allowed to pass both of its roles.',
    source: 'Actions, resources, and condition keys for Amazon ECS (Service Authorization Reference)',
    test: ['task-definitions.test.ts', 'requires permission to pass its roles'],
  },
  ownCommand: {
    rule: "A container's command replaces the image's; an entry point replaces both.",
    source: 'ContainerDefinition command and entryPoint (Amazon ECS API Reference), and CMD and ENTRYPOINT of Docker',
    test: ['task.test.ts', 'runs the command of its definition instead of that of its image'],
  },
  deploymentBounds: {
    rule:
      'During a deployment, at most maximumPercent of the desired count (rounded down) run or start, and at least ' +
      'minimumHealthyPercent (rounded up) stay healthy.',
    value: { minimumHealthyPercent: 100, maximumPercent: 200 },
    source: ROLLING,
    test: ['rollout.test.ts', 'starts as many new tasks as the maximum allows'],
  },
  oldAreKept: {
    rule: 'An old task is stopped when a healthy new one replaces it, or when there is no other room for new ones.',
    source: `${ROLLING}: the scheduler "may" stop old tasks first; here it does so only if necessary`,
    test: ['rollout.test.ts', 'stops old tasks before new ones are healthy only to make room'],
  },
  healthyWithoutCheck: {
    rule: 'A task is healthy when the checks of all its essential containers pass; without checks, after 40 s.',
    value: { milliseconds: 40_000 },
    source: ROLLING,
    test: ['deployments.test.ts', 'waits 40 s for new tasks without a health check'],
  },
  protectedOutliveRelease: {
    rule: 'Protected tasks of an old deployment run until they are no longer protected.',
    source: CONSIDERATIONS,
    test: ['deployments.test.ts', 'does not stop protected old tasks until their protection ends or expires'],
  },
  oldAreReplaced: {
    rule: 'During a deployment, a stopped task of the previous deployment is replaced by a task of the same one.',
    source: "AWS, What's New, November 2025: Amazon ECS improves service availability during rolling deployments",
    test: [
      'deployments.test.ts',
      'replaces stopped old tasks with tasks of the old revision until new tasks are healthy',
    ],
  },
  completed: {
    rule: 'A deployment is COMPLETED when all its desired tasks are healthy and no other deployment has tasks.',
    source: `${DEPLOYMENT}: "when the service reaches a steady state"`,
    test: ['deployments.test.ts', 'replaces the old tasks with new ones, and then is complete'],
  },
  completedAtZero: {
    rule: 'With no desired tasks, a deployment is COMPLETED immediately, although no task has run.',
    source: `${DEPLOYMENT}, as above: 0 of 0 is a steady state`,
    test: ['deployments.test.ts', 'is complete immediately if no task is desired'],
  },
  lastWins: {
    rule: 'The later of two deployments is PRIMARY; the earlier is ACTIVE and its tasks are replaced like all old ones.',
    source: DEPLOYMENT,
    test: ['deployments.test.ts', 'replaces an earlier deployment that is still in progress'],
  },
  noChange: {
    rule: 'An update to the current revision of the service starts no deployment, unless one is forced.',
    source: 'UpdateService forceNewDeployment (Amazon ECS API Reference)',
    test: ['deployments.test.ts', 'begins for the same revision only if it is forced'],
  },
  circuitBreaker: {
    rule:
      'With the circuit breaker, a deployment fails when this many consecutive tasks did not run or did not ' +
      'become healthy: half of the desired count, rounded up, at least 3 and at most 200.',
    value: {
      share: 0.5,
      min: 3,
      max: 200,
      failed: 'ECS deployment circuit breaker: tasks failed to start.',
      rollingBack: 'ECS deployment circuit breaker: rolling back to deploymentId',
    },
    source: BREAKER,
    test: ['rollout.test.ts', 'fails when half of the desired count of tasks has failed, at least 3 and at most 200'],
  },
  failuresUntilHealthy: {
    rule: 'After a task of a deployment has been healthy, failures of other tasks are no longer counted.',
    source: `${DEPLOYMENT} failedTasks`,
    test: ['deployments.test.ts', 'does not fail after one of its tasks has been healthy'],
  },
  rollback: {
    rule:
      'With rollback, the last deployment that was COMPLETED becomes PRIMARY again and keeps the tasks that it has. ' +
      'A FAILED deployment starts no tasks. Without a completed deployment, the service starts none either.',
    source: `${BREAKER}. AWS does not document that running tasks are kept: there is nothing to replace them with`,
    test: ['deployments.test.ts', 'rolls back to the last completed deployment when it fails'],
  },
  deploymentEvents: {
    rule: 'The service publishes an event when a deployment begins, completes or fails.',
    source: 'Amazon ECS service deployment state change events (Developer Guide)',
    test: ['deployments.test.ts', 'replaces the old tasks with new ones, and then is complete'],
  },
  spotInterruption: {
    rule:
      'Fargate Spot reclaims capacity two minutes after its warning: the task stops with this reason, and its ' +
      'containers get SIGTERM and their stop timeout within that time. Protection has no effect. Another task starts.',
    value: {
      stopCode: 'SpotInterruption',
      stoppedReason: 'Your Spot Task was interrupted.',
      milliseconds: 120_000,
    },
    source: 'Amazon ECS clusters for Fargate Spot: termination notices (Developer Guide)',
    test: ['service.test.ts', 'loses a protected task two minutes after the warning of its spot capacity'],
  },
  desiredCountAtOnce: {
    rule: 'A changed desired count starts no deployment; tasks start or stop immediately.',
    source: 'UpdateService (Amazon ECS API Reference)',
    test: ['service.test.ts', 'starts tasks immediately when it is scaled up'],
  },
  scaleInOrder: {
    rule: 'Scale-in stops tasks that do not run yet before those that do, then the newest first.',
    source:
      'UpdateService documents only the balance over Availability Zones and instances; here there is one instance. ' +
      'Stopping the newest tasks first is our choice: the oldest tasks have warm models and caches',
    test: ['service.test.ts', 'stops tasks that do not run yet, then the newest, when it is scaled down'],
  },
  protectedAreKept: {
    rule: 'Scale-in stops a protected task only when its protection has expired and it is still surplus.',
    source: CONSIDERATIONS,
    test: ['task-protection.test.ts', 'prevents the scale-in of a task until the protection ends'],
  },
  countIsKept: {
    rule: 'The desired count outlives a restart. A template sets it again if the service has changed in the template.',
    source:
      'AWS::ECS::Service DesiredCount (CloudFormation Template Reference): default 1 for a new service. ' +
      'Without a value, the count of an existing service remains. A value is set with every change of the service',
    test: ['ecs-api.test.ts', 'outlives a restart until the template sets another one'],
  },
  newestOfFamily: {
    rule: 'A template that names a family starts its newest revision whenever the service has changed in the template.',
    source:
      'AWS::ECS::Service TaskDefinition (CloudFormation Template Reference): without a number, the latest ACTIVE ' +
      'revision. UpdateService looks up the revision, and CloudFormation calls it with every change of the service',
    test: ['ecs-api.test.ts', 'keeps its revision until its template changes'],
  },
  stoppedAreListed: {
    rule: 'Stopped tasks can be described for an hour.',
    value: { milliseconds: 3_600_000 },
    source: 'DescribeTasks (Amazon ECS API Reference): "at least one hour"',
    test: ['service.test.ts', 'forgets a stopped task after an hour'],
  },
  lifecycle: {
    rule:
      'A task is PROVISIONING while it gets its port, PENDING until its last container runs, RUNNING until the ' +
      'first SIGTERM, STOPPING until its last container has exited, DEPROVISIONING, and STOPPED.',
    source: LIFECYCLE,
    test: ['task.test.ts', 'publishes an event for every change of its status'],
  },
  scaledIn: {
    rule: 'A task that the service stops because of its desired count has this reason.',
    value: { stopCode: 'ServiceSchedulerInitiated', stoppedReason: 'Scaling activity initiated by' },
    source: STOPPED,
    test: ['service.test.ts', 'stops tasks that do not run yet, then the newest, when it is scaled down'],
  },
  unhealthy: {
    rule: 'A task whose essential container is unhealthy is stopped and replaced.',
    value: { stopCode: 'ServiceSchedulerInitiated', stoppedReason: 'Task failed container health checks' },
    source: STOPPED,
    test: ['task.test.ts', 'stops when its agent becomes unhealthy'],
  },
  essentialEnded: {
    rule: 'When an essential container exits, the task stops.',
    value: { stopCode: 'EssentialContainerExited', stoppedReason: 'Essential container in task exited' },
    source: STOPPED,
    test: ['task.test.ts', 'stops when an essential container exits'],
  },
  failedToStart: {
    rule: 'A task whose containers cannot be started has failed to start.',
    value: { stopCode: 'TaskFailedToStart' },
    source: STOPPED,
    test: ['task.test.ts', 'cannot start with an image that is in no list'],
  },
  placementFailure: {
    rule: 'A task without capacity is not started; the service publishes the reason and retries.',
    value: { eventType: 'ERROR', eventName: 'SERVICE_TASK_PLACEMENT_FAILURE' },
    source: 'Amazon ECS service action events (Developer Guide)',
    test: ['placement.test.ts', 'is requested again until the provider has capacity'],
  },
  cannotPull: {
    rule: 'The service reports an image that cannot be pulled as a task that it cannot place.',
    value: { error: 'CannotPullContainerError' },
    source: 'Amazon ECS service event messages has "was unable to place a task. Reason: CannotPullContainerError"',
    test: ['placement.test.ts', 'is reported as unavailable when the image cannot be pulled'],
  },
  ...launchRules,
  ...loadBalancerRules,
  ...secretRules,
  stoppedByUser: {
    rule: 'StopTask stops a task, for the reason that the caller gives.',
    value: { stopCode: 'UserInitiated', stoppedReason: 'Task stopped by user' },
    source: STOPPED,
    test: ['ecs-api.test.ts', 'stops a protected task with StopTask, and the service replaces it'],
  },
  volumes: {
    rule: 'A volume outlives its tasks. Variables contain the local folder instead of the mount point.',
    source: 'Use Amazon EFS volumes with Amazon ECS (Developer Guide)',
    test: ['volumes.test.ts', 'outlives its tasks, and variables contain its path'],
  },
  allAreMounted: {
    rule: 'Every EFS volume of a task is mounted, even if no container has a mount point for it.',
    source: 'Task.initializeEFSVolumes in the source of amazon-ecs-agent; the Developer Guide does not mention it',
    test: ['volumes.test.ts', 'is mounted for its task even if no container has a mount point'],
  },
  volumeRefused: {
    rule: 'A task whose role may not mount a volume does not start.',
    value: { error: 'ResourceInitializationError' },
    source: `${STOPPED}; Using IAM to control access to file systems (Amazon EFS User Guide)`,
    test: ['volumes.test.ts', 'prevents the start of a task if its role is not allowed to mount it'],
  },
  restartPeriod: {
    rule: 'With a restart policy, only a container that ran for the period is restarted, within its task.',
    value: { default: 300, min: 60, max: 1800 },
    source: RESTART,
    test: ['task.test.ts', 'is restarted after it has run for the period of its policy'],
  },
  restartIgnored: {
    rule: 'A container that exits with one of up to 50 ignored exit codes is not restarted.',
    value: { max: 50 },
    source: RESTART,
    test: ['task.test.ts', 'is not restarted after it has exited with an ignored exit code'],
  },
} as const satisfies Readonly<Record<string, Rule>>;
