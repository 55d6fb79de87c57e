/**
 * The rules of ECS that the fleet follows: one table, which the code takes its numbers and words from. `source` is the
 * title of the page of AWS that says so, or why something is done that no page says; `test` shows the rule at work.
 */

interface Rule {
  readonly rule: string;
  readonly value?: unknown;
  readonly source: string;
  /** File in `test/local`, and the title of the test in it. */
  readonly test: readonly [file: string, title: string];
}

const PROTECTION = 'Amazon ECS task scale-in protection endpoint (Amazon ECS Developer Guide)';
const CONSIDERATIONS = 'Protect your Amazon ECS tasks from being terminated by scale-in events (Developer Guide)';
const RESTART = 'ContainerRestartPolicy (Amazon ECS API Reference)';
const LIFECYCLE = 'Amazon ECS task lifecycle (Developer Guide)';
const STOPPED = 'Amazon ECS stopped tasks error messages, and TaskStopCode in the API Reference';

export const rules = {
  protectionPeriod: {
    rule: 'Protection lasts 120 minutes unless told otherwise, at least 1 and at most 2880.',
    value: { default: 120, least: 1, most: 2880 },
    source: PROTECTION,
    test: ['task-protection.test.ts', 'lasts two hours unless told otherwise'],
  },
  protectionRenewed: {
    rule: 'Protecting a protected task starts the period anew.',
    source: 'UpdateTaskProtection (Amazon ECS API Reference)',
    test: ['task-protection.test.ts', 'starts anew with every call'],
  },
  protectionBlocked: {
    rule: 'No more tasks can be protected than the service desires, and a protected one cannot be renewed beyond that.',
    value: 'DEPLOYMENT_BLOCKED',
    source: CONSIDERATIONS,
    test: ['task-protection.test.ts', 'is refused to more tasks than the service desires'],
  },
  protectionOfStopping: {
    rule: 'A task that is being stopped cannot be protected.',
    value: 'TASK_NOT_VALID',
    source:
      'Amazon ECS API failure reasons has TASK_NOT_VALID for tasks that cannot have protection; that this is the ' +
      'reason for one that stops is not documented',
    test: ['task-protection.test.ts', 'is refused to a task that is being stopped'],
  },
  protectionIsOfScaleIn: {
    rule: 'Protection is against scale-in. StopTask and the end of an essential container stop a protected task.',
    source: CONSIDERATIONS,
    test: ['ecs-api.test.ts', 'StopTask stops a protected task, and the service replaces it'],
  },
  protectionPermission: {
    rule: "The endpoint calls ECS with the task's role, which needs ecs:UpdateTaskProtection, ecs:GetTaskProtection.",
    source: CONSIDERATIONS,
    test: ['task-protection.test.ts', 'needs the permission of the task role'],
  },
  unknown: {
    rule: 'What is not there is a failure of the answer where several can be asked for.',
    value: 'MISSING',
    source: 'Amazon ECS API failure reasons (Developer Guide)',
    test: ['ecs-api.test.ts', 'DescribeServices and DescribeTasks name what is missing'],
  },
  desiredCountAtOnce: {
    rule: 'A changed desired count starts no deployment; tasks start or stop at once.',
    source: 'UpdateService (Amazon ECS API Reference)',
    test: ['service.test.ts', 'starts tasks at once when it is scaled up'],
  },
  scaleInOrder: {
    rule: 'Scale-in stops tasks that do not run yet before those that do, then the newest first.',
    source:
      'UpdateService documents only the balance over Availability Zones and instances, of which there is one here. ' +
      'Newest first is our choice: the oldest tasks have their models and caches warm',
    test: ['service.test.ts', 'stops those that do not run yet, then the newest, when it is scaled down'],
  },
  protectedAreKept: {
    rule: 'Scale-in leaves protected tasks, and stops them when protection ends if they are still surplus.',
    source: CONSIDERATIONS,
    test: ['task-protection.test.ts', 'keeps a task over a scale-in until it ends'],
  },
  countIsKept: {
    rule: 'The desired count outlives a restart. A template re-asserts its own when it says another than last time.',
    source:
      'AWS::ECS::Service DesiredCount (CloudFormation Template Reference): 1 for a new service if left out, and an ' +
      'existing one is left alone. CloudFormation re-asserts it with every change of the service; here with its own',
    test: ['ecs-api.test.ts', 'a desired count outlives a restart, until the template says another'],
  },
  stoppedAreListed: {
    rule: 'Stopped tasks are described for an hour.',
    value: { milliseconds: 3_600_000 },
    source: 'DescribeTasks (Amazon ECS API Reference): "at least one hour"',
    test: ['service.test.ts', 'forgets a stopped task after an hour'],
  },
  lifecycle: {
    rule:
      'A task is PROVISIONING while it gets its port, PENDING until its last container runs, RUNNING, STOPPING from ' +
      'the first SIGTERM on, DEPROVISIONING when its last container has ended, and STOPPED.',
    source: LIFECYCLE,
    test: ['task.test.ts', 'tells how it lives, event by event'],
  },
  scaledIn: {
    rule: 'What the service stops for its count says so.',
    value: { stopCode: 'ServiceSchedulerInitiated', stoppedReason: 'Scaling activity initiated by' },
    source: STOPPED,
    test: ['service.test.ts', 'stops those that do not run yet, then the newest, when it is scaled down'],
  },
  unhealthy: {
    rule: 'A task whose essential container is unhealthy is stopped and replaced.',
    value: { stopCode: 'ServiceSchedulerInitiated', stoppedReason: 'Task failed container health checks' },
    source: STOPPED,
    test: ['task.test.ts', 'ends when its agent becomes unhealthy'],
  },
  essentialEnded: {
    rule: 'The end of an essential container is the end of the task.',
    value: { stopCode: 'EssentialContainerExited', stoppedReason: 'Essential container in task exited' },
    source: STOPPED,
    test: ['task.test.ts', 'ends when an essential container ends'],
  },
  failedToStart: {
    rule: 'A task whose containers cannot be started has failed to start.',
    value: { stopCode: 'TaskFailedToStart' },
    source: STOPPED,
    test: ['task.test.ts', 'with an image that is not in the list cannot start'],
  },
  placementFailure: {
    rule: 'A task for which there is no place is not started; the service says so, with a reason, and tries again.',
    value: { eventType: 'ERROR', eventName: 'SERVICE_TASK_PLACEMENT_FAILURE' },
    source: 'Amazon ECS service action events (Developer Guide)',
    test: ['placement.test.ts', 'is tried again until there is one'],
  },
  cannotPull: {
    rule: 'The service says of an image that cannot be pulled that it cannot place a task.',
    value: { error: 'CannotPullContainerError' },
    source:
      'Amazon ECS service event messages have it as "was unable to place a task. Reason: CannotPullContainerError"',
    test: ['placement.test.ts', 'is what the service says of an image that cannot be pulled'],
  },
  stoppedByUser: {
    rule: 'StopTask stops a task, for the reason that the caller gives.',
    value: { stopCode: 'UserInitiated', stoppedReason: 'Task stopped by user' },
    source: STOPPED,
    test: ['ecs-api.test.ts', 'StopTask stops a protected task, and the service replaces it'],
  },
  restartPeriod: {
    rule: 'With a restart policy, a container that ran for the period is restarted in place; one that did not is not.',
    value: { default: 300, least: 60, most: 1800 },
    source: RESTART,
    test: ['task.test.ts', 'restarts a container that has run for the period of its policy'],
  },
  restartIgnored: {
    rule: 'A container that ends with one of up to 50 ignored exit codes is not restarted.',
    value: { most: 50 },
    source: RESTART,
    test: ['task.test.ts', 'restarts no container that has ended with an ignored exit code'],
  },
} as const satisfies Readonly<Record<string, Rule>>;
