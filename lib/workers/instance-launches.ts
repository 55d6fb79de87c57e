import { Duration, Fn, Stack } from 'aws-cdk-lib';
import { type EventPattern, Match, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { SWEEP } from '../../core/limits.ts';
import type { ClusterNames } from '../capacity/cluster-names.ts';
import { acknowledgeGrant } from '../constructs/acknowledge.ts';
import { ServiceFunction } from '../constructs/function.ts';
import { explain } from '../constructs/reasons.ts';
import { shownIn } from '../constructs/shared-value.ts';
import type { EndpointsTable, WorkersTable } from '../endpoints/tables.ts';
import type { HistoryTable } from '../history/table.ts';

export interface InstanceLaunchesProps {
  /** Name of the cluster. */
  readonly cluster: string;
  readonly clusters: ClusterNames;
  /** Prefix of the names of the Auto Scaling groups that start instances for workers. */
  readonly instanceGroups: string;
  /** Ids of the subnets of instances. */
  readonly subnets: readonly string[];
  readonly endpoints: EndpointsTable;
  readonly history: HistoryTable;
  readonly workers: WorkersTable;
}

/** A synchronous launch takes some seconds in each subnet. */
const TIMEOUT = Duration.minutes(1);

const unused = 'On a laptop, there are no instances.';

/**
 * Launches instances as soon as a task of a pool waits for a place, and ends empty instances, sooner than ECS does.
 * Without this construct, ECS does both.
 */
export class InstanceLaunches extends Construct {
  readonly launch: ServiceFunction;

  constructor(
    scope: Construct,
    id: string,
    { cluster: name, clusters, instanceGroups, subnets, endpoints, history, workers }: InstanceLaunchesProps,
  ) {
    super(scope, id);
    this.launch = new ServiceFunction(this, 'Launch', {
      entry: 'lambda/fleet/launch.ts',
      description: 'Waiting tasks of pools, launches, and every minute: launches and ends instances of pools.',
      timeout: TIMEOUT,
    });
    const { launch } = this;
    launch.addEnvironment('CLUSTER', name);
    launch.addEnvironment('SUBNETS', Fn.join(',', [...subnets]));
    endpoints.grantList(launch, 'Lists the endpoints, to find those with workers on a pool.');
    endpoints.grantRead(launch, { reason: 'Reads the state of workers before it changes that state.', unused });
    endpoints.grantUpdate(launch, { reason: 'Stores why instances do not start.', unused });
    history.grantAdd(launch, { reason: 'Stores conditions of endpoints for their events.', unused });
    endpoints.grantPools(launch, {
      reason:
        'Stores each step before it takes the step, so that it launches and ends no instance twice. Only in the partitions of pools.',
      unused,
    });
    workers.grantList(launch, {
      reason: 'Counts running workers when an instance of a pool with warm instances cannot start.',
      unused,
    });
    grantInstances(launch, clusters.patternIn(this));
    grantGroups(launch, instanceGroups);

    const subscribe = (name: string, description: string, eventPattern: EventPattern) =>
      new Rule(this, name, { description, eventPattern, targets: [new LambdaFunction(launch)] });
    subscribe('WorkerWaits', 'Notifies gpu-endpoints when a worker waits for a place on an instance.', {
      source: ['aws.ecs'],
      detailType: ['ECS Task State Change'],
      detail: {
        clusterArn: clusters.matchIn(this, 'cluster'),
        lastStatus: ['PROVISIONING'],
        desiredStatus: ['RUNNING'],
        capacityProviderName: Match.anythingBut('FARGATE', 'FARGATE_SPOT'),
      },
    });
    // ECS only reports that there is no instance. The event of the Auto Scaling group contains the reason.
    subscribe('LaunchEnded', 'Notifies gpu-endpoints when an instance for workers starts or cannot be started.', {
      source: ['aws.autoscaling'],
      detailType: ['EC2 Instance Launch Successful', 'EC2 Instance Launch Unsuccessful'],
      detail: { AutoScalingGroupName: Match.prefix(instanceGroups) },
    });
    new Rule(this, 'EveryMinute', {
      description: 'Calls the function of gpu-endpoints that ends empty instances.',
      schedule: Schedule.rate(Duration.millis(SWEEP)),
      targets: [new LambdaFunction(launch)],
    });
  }
}

/** Lets the function read waiting tasks and the instances of the cluster, and keep tasks from instances. */
function grantInstances(launch: ServiceFunction, names: string): void {
  const arnOf = (resource: string, resourceName: string) =>
    Stack.of(launch).formatArn({ service: 'ecs', resource, resourceName });
  const pattern = (resource: string, name: string) =>
    `IAM5[Resource::arn:<AWS::Partition>:ecs:<AWS::Region>:<AWS::AccountId>:${resource}/${name}]`;
  const grant = (actions: readonly string[], resource: string, name: string, reasons: Record<string, string>) => {
    Grant.addToPrincipal({
      grantee: launch,
      actions: actions.map((action) => `ecs:${action}`),
      resourceArns: [arnOf(resource, name)],
    }).assertSuccess();
    const isOfCluster = resource === 'cluster';
    const where = isOfCluster ? 'the cluster' : `${resource === 'task' ? 'tasks' : 'instances'} of the cluster`;
    // The function lists the instances each minute, also where there are none.
    const reasonOf = (action: string) => ({ reason: reasons[action] ?? '', ...(!isOfCluster && { unused }) });
    for (const action of actions) explain(launch, 'ecs', [action], where, reasonOf(action));
    acknowledgeGrant(launch, {
      [pattern(resource, name.replace(names, shownIn(launch, names)))]:
        'Instances and tasks are created and removed at any time. The cluster belongs to this service.',
    });
  };
  grant(['ListContainerInstances'], 'cluster', names, {
    ListContainerInstances: 'Finds the instances of the pools.',
  });
  grant(['DescribeContainerInstances', 'UpdateContainerInstancesState'], 'container-instance', `${names}/*`, {
    DescribeContainerInstances: 'Reads what is free on instances, and whether they have tasks.',
    UpdateContainerInstancesState: 'Keeps new tasks from an empty instance before the instance ends.',
  });
  grant(['DescribeTasks'], 'task', `${names}/*`, { DescribeTasks: 'Finds tasks that wait for a place.' });
  // ECS authorizes a call with a service on no container instance, so the cluster is a condition.
  Grant.addToPrincipal({
    grantee: launch,
    actions: ['ecs:ListTasks'],
    resourceArns: ['*'],
    conditions: { ArnLike: { 'ecs:cluster': arnOf('cluster', names) } },
  }).assertSuccess();
  explain(launch, 'ecs', ['ListTasks'], 'no resource', {
    reason: 'Finds the tasks of endpoints on pools. The cluster is a condition.',
    unused,
  });
  acknowledgeGrant(launch, { 'IAM5[Resource::*]': 'The cluster is a condition, because the call names no resource.' });
}

/** Lets the function read groups, and launch and end instances of the groups of pools. */
function grantGroups(launch: ServiceFunction, instanceGroups: string): void {
  const grant = (actions: readonly string[], resource: string) =>
    Grant.addToPrincipal({
      grantee: launch,
      actions: actions.map((action) => `autoscaling:${action}`),
      resourceArns: [resource],
    }).assertSuccess();
  const name = `autoScalingGroup:*:autoScalingGroupName/${instanceGroups}*`;
  grant(['DescribeAutoScalingGroups', 'DescribeAutoScalingInstances'], '*');
  grant(
    ['LaunchInstances', 'TerminateInstanceInAutoScalingGroup'],
    Stack.of(launch).formatArn({ service: 'autoscaling', resource: name }),
  );
  explain(launch, 'autoscaling', ['DescribeAutoScalingGroups', 'DescribeAutoScalingInstances'], 'no resource', {
    DescribeAutoScalingGroups: {
      reason: 'Finds instances that start, so that it launches no instance twice. IAM has no narrower resource.',
      unused,
    },
    DescribeAutoScalingInstances: {
      reason: 'Finds the pool of instances that no endpoint uses. IAM has no narrower resource.',
      unused,
    },
  });
  explain(launch, 'autoscaling', ['LaunchInstances', 'TerminateInstanceInAutoScalingGroup'], 'groups of pools', {
    LaunchInstances: { reason: 'Launches the instances that waiting tasks need.', unused },
    TerminateInstanceInAutoScalingGroup: { reason: 'Ends instances without tasks.', unused },
  });
  acknowledgeGrant(launch, {
    'IAM5[Resource::*]':
      'IAM does not support resources for autoscaling:DescribeAutoScalingGroups and DescribeAutoScalingInstances.',
    [`IAM5[Resource::arn:<AWS::Partition>:autoscaling:<AWS::Region>:<AWS::AccountId>:${name}]`]:
      'Pools are added and removed without this stack. Groups with this prefix belong to this service.',
  });
}
