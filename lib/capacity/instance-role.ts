import { Stack } from 'aws-cdk-lib';
import type { ICluster } from 'aws-cdk-lib/aws-ecs';
import { type IRole, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { acknowledge } from '../constructs/acknowledge.ts';
import { explain } from '../constructs/reasons.ts';
import { shownIn } from '../constructs/shared-value.ts';

export interface InstanceRoleProps {
  readonly cluster: ICluster;
}

/**
 * The role of an instance, which lets the instance join the cluster. The execution role of each task pulls images and
 * writes logs, and containers have the role of their task.
 */
export class InstanceRole extends Construct {
  /** The role with only these permissions. CDK would also allow writing to all log groups. */
  readonly only: IRole;

  constructor(scope: Construct, id: string, { cluster }: InstanceRoleProps) {
    super(scope, id);
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('ec2.amazonaws.com') });
    const instances = 'container-instance';
    const ofCluster = { service: 'ecs', resource: instances, resourceName: `${cluster.clusterName}/*` };

    // The ECS agent joins and leaves the cluster, and reports the states of tasks and their network interfaces.
    role.addToPolicy(
      new PolicyStatement({
        actions: [
          'ecs:RegisterContainerInstance',
          'ecs:DeregisterContainerInstance',
          'ecs:SubmitAttachmentStateChanges',
          'ecs:SubmitContainerStateChange',
          'ecs:SubmitTaskStateChange',
        ],
        resources: [cluster.clusterArn],
      }),
    );

    // The ECS agent receives tasks to run, and reports that the instance is draining.
    role.addToPolicy(
      new PolicyStatement({
        actions: ['ecs:Poll', 'ecs:StartTelemetrySession', 'ecs:UpdateContainerInstancesState'],
        resources: [Stack.of(this).formatArn(ofCluster)],
        conditions: { ArnEquals: { 'ecs:cluster': cluster.clusterArn } },
      }),
    );
    role.addToPolicy(new PolicyStatement({ actions: ['ecs:DiscoverPollEndpoint'], resources: ['*'] }));

    const ofAgent = (actions: readonly string[], resource: string, reason: string) =>
      explain(role, 'ecs', actions, resource, { reason, unused: 'On a laptop, there are no instances.' });
    const joining = ['DeregisterContainerInstance', 'RegisterContainerInstance'];
    ofAgent(joining, 'the cluster', 'The ECS agent joins and leaves the cluster.');
    const submitting = ['SubmitAttachmentStateChanges', 'SubmitContainerStateChange', 'SubmitTaskStateChange'];
    ofAgent(submitting, 'the cluster', 'The ECS agent reports the states of tasks and their network interfaces.');
    ofAgent(
      ['Poll', 'StartTelemetrySession', 'UpdateContainerInstancesState'],
      'instances of the cluster',
      'The ECS agent receives the tasks to run, and drains the instance when AWS reclaims a Spot Instance.',
    );
    const discovers = 'The ECS agent requests the address of its API. IAM has no narrower resource.';
    ofAgent(['DiscoverPollEndpoint'], 'no resource', discovers);

    const name = shownIn(this, cluster.clusterName);
    const pattern = `arn:<AWS::Partition>:ecs:<AWS::Region>:<AWS::AccountId>:${instances}/${name}/*`;
    acknowledge(role, {
      [`IAM5[Resource::${pattern}]`]:
        'Instances are started and terminated at any time. The cluster belongs to this service.',
      'IAM5[Resource::*]': 'ecs:DiscoverPollEndpoint has no narrower resource.',
    });
    this.only = role.withoutPolicyUpdates();
  }
}
