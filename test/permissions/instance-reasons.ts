/** Why the instances of pools may do what they may do. */
import type { Reason } from './reasons.ts';

const unused = 'On a laptop there are no instances.';

export const instanceReasons: readonly Reason[] = [
  {
    roles: ['Fleet/Instance'],
    actions: ['ecs:DeregisterContainerInstance', 'ecs:RegisterContainerInstance'],
    resources: ['the cluster'],
    why: 'The ECS agent joins the cluster and leaves it.',
    unused,
  },
  {
    roles: ['Fleet/Instance'],
    actions: ['ecs:SubmitAttachmentStateChanges', 'ecs:SubmitContainerStateChange', 'ecs:SubmitTaskStateChange'],
    resources: ['the cluster'],
    why: 'The ECS agent tells what becomes of tasks and their network interfaces.',
    unused,
  },
  {
    roles: ['Fleet/Instance'],
    actions: ['ecs:Poll', 'ecs:StartTelemetrySession', 'ecs:UpdateContainerInstancesState'],
    resources: ['instances of the cluster'],
    why: 'The ECS agent hears which tasks to run, and that it is to drain when AWS takes a Spot Instance back.',
    unused,
  },
  {
    roles: ['Fleet/Instance'],
    actions: ['ecs:DiscoverPollEndpoint'],
    resources: ['no resource'],
    why: 'The ECS agent asks whom to call; IAM knows no narrower resource.',
    unused,
  },
];
