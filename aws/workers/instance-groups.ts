/** The instances of pools: container instances of ECS, and Auto Scaling groups. */
import {
  AutoScalingClient,
  AutoScalingServiceException,
  DescribeAutoScalingGroupsCommand,
  DescribeAutoScalingInstancesCommand,
  LaunchInstancesCommand,
  TerminateInstanceInAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import {
  type ContainerInstance,
  DescribeContainerInstancesCommand,
  DescribeTasksCommand,
  ECSClient,
  paginateListContainerInstances,
  paginateListTasks,
  type Resource,
  UpdateContainerInstancesStateCommand,
} from '@aws-sdk/client-ecs';
import type { Instance, InstanceGroups } from '../../core/fleet/pool.ts';
import { requestHandler } from '../request-handler.ts';
import { batchesOf } from './batches.ts';

/** Maximum number of instances or tasks that ECS describes in one call. */
const MAX_DESCRIBED = 100;

/** Maximum number of instances that Auto Scaling describes in one call. */
const MAX_IN_GROUPS = 50;

/** Returns the amount of a resource. ECS lists GPUs by their ids. */
function amountOf(resources: readonly Resource[], name: string): number {
  const found = resources.find((resource) => resource.name === name);
  return found?.stringSetValue?.length ?? found?.integerValue ?? 0;
}

function instanceFrom(instance: ContainerInstance): Instance {
  const { containerInstanceArn: arn = '', ec2InstanceId: id = '', capacityProviderName: provider = '' } = instance;
  const { status, agentConnected, remainingResources = [], runningTasksCount = 0, pendingTasksCount = 0 } = instance;
  const amount = (name: string) => amountOf(remainingResources, name);
  return {
    arn,
    id,
    provider,
    // ECS places no tasks on an instance whose agent is not connected.
    status: status === 'DRAINING' ? status : status === 'ACTIVE' && agentConnected ? 'ACTIVE' : 'OTHER',
    tasks: runningTasksCount + pendingTasksCount,
    free: { gpus: amount('GPU'), cpu: amount('CPU'), memory: amount('MEMORY') },
  };
}

/** Returns whether the error is an answer of Auto Scaling which says that it has done nothing. */
const isRefusal = (error: unknown): error is AutoScalingServiceException =>
  error instanceof AutoScalingServiceException && error.$fault === 'client' && error.$retryable === undefined;

export function createInstanceGroups(): InstanceGroups {
  const ecs = new ECSClient({ requestHandler: requestHandler('services') });
  const autoScaling = new AutoScalingClient({ requestHandler: requestHandler('launches') });

  async function describe(cluster: string, arns: readonly string[]): Promise<Instance[]> {
    const instances: Instance[] = [];
    for (const containerInstances of batchesOf(arns, MAX_DESCRIBED)) {
      const described = await ecs.send(new DescribeContainerInstancesCommand({ cluster, containerInstances }));
      instances.push(...(described.containerInstances ?? []).map(instanceFrom));
    }
    return instances;
  }

  const setStatus = async (cluster: string, arn: string, status: 'ACTIVE' | 'DRAINING') => {
    const update = new UpdateContainerInstancesStateCommand({ cluster, containerInstances: [arn], status });
    await ecs.send(update);
  };

  return {
    describe,
    drain: (cluster, arn) => setStatus(cluster, arn, 'DRAINING'),
    activate: (cluster, arn) => setStatus(cluster, arn, 'ACTIVE'),

    async instances(cluster) {
      const arns: string[] = [];
      for await (const page of paginateListContainerInstances({ client: ecs }, { cluster }))
        arns.push(...(page.containerInstanceArns ?? []));
      return describe(cluster, arns);
    },

    async groupsOf(ids) {
      const groups = new Map<string, string>();
      for (const InstanceIds of batchesOf(ids, MAX_IN_GROUPS)) {
        const described = await autoScaling.send(new DescribeAutoScalingInstancesCommand({ InstanceIds }));
        for (const { InstanceId: id = '', AutoScalingGroupName: group = '' } of described.AutoScalingInstances ?? [])
          groups.set(id, group);
      }
      return groups;
    },

    async waiting({ cluster, service }) {
      const arns: string[] = [];
      for await (const page of paginateListTasks({ client: ecs }, { cluster, serviceName: service }))
        arns.push(...(page.taskArns ?? []));
      let waiting = 0;
      for (const tasks of batchesOf(arns, MAX_DESCRIBED)) {
        const { tasks: described = [] } = await ecs.send(new DescribeTasksCommand({ cluster, tasks }));
        waiting += described.filter(
          ({ lastStatus, containerInstanceArn, capacityProviderName, desiredStatus }) =>
            lastStatus === 'PROVISIONING' &&
            desiredStatus === 'RUNNING' &&
            capacityProviderName !== undefined &&
            containerInstanceArn === undefined,
        ).length;
      }
      return waiting;
    },

    async group(name) {
      const describe = new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [name] });
      const [group] = (await autoScaling.send(describe)).AutoScalingGroups ?? [];
      const instances = (group?.Instances ?? []).filter(({ LifecycleState: state = '' }) =>
        /^(?:Pending|InService)/.test(state),
      );
      return {
        ids: instances.flatMap(({ InstanceId: id }) => (id === undefined ? [] : [id])),
        desired: group?.DesiredCapacity ?? 0,
      };
    },

    async launch(group, { subnet, count, token }) {
      const command = new LaunchInstancesCommand({
        AutoScalingGroupName: group,
        RequestedCapacity: count,
        SubnetIds: [subnet],
        ClientToken: token,
        RetryStrategy: 'none',
      });
      try {
        const { Instances = [], Errors = [] } = await autoScaling.send(command);
        return {
          ids: Instances.flatMap(({ InstanceIds = [] }) => InstanceIds),
          refusals: Errors.map(({ ErrorCode: code = '', ErrorMessage: message = '' }) => ({ code, message })),
        };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return { ids: [], refusals: [], error: `${error.name}: ${error.message}` };
      }
    },

    async end(id) {
      const terminate = { InstanceId: id, ShouldDecrementDesiredCapacity: true };
      await autoScaling.send(new TerminateInstanceInAutoScalingGroupCommand(terminate));
    },
  };
}
