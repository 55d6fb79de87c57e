/** The mount targets of the volumes: one in each zone. Only workers can reach them. */
import { type IVpc, Port, SecurityGroup, Vpc } from 'aws-cdk-lib/aws-ec2';
import { CfnMountTarget, FileSystem } from 'aws-cdk-lib/aws-efs';
import { Construct } from 'constructs';
import { privateSubnets } from './network.ts';

export interface MountTargetsProps {
  readonly vpc: IVpc;
  /** Id. */
  readonly fileSystem: string;
  /** Security group of all workers. */
  readonly workers: SecurityGroup;
}

export class MountTargets extends Construct {
  constructor(scope: Construct, id: string, { vpc, fileSystem, workers }: MountTargetsProps) {
    super(scope, id);
    const group = new SecurityGroup(this, 'Group', {
      vpc,
      description: 'Volumes: workers come in by NFS.',
      allowAllOutbound: false,
    });
    group.connections.allowFrom(workers, Port.tcp(FileSystem.DEFAULT_PORT), 'NFS of workers');

    // EFS allows one mount target in each zone. The target of a zone keeps its logical id, because with another id
    // CloudFormation would create a second target before it deletes the first. The names of zones can be unknown if
    // this stack creates the VPC, but their order remains the same.
    const { subnets } = vpc.selectSubnets({ ...privateSubnets, onePerAz: true });
    for (const { node, subnetId, availabilityZone } of subnets)
      new CfnMountTarget(this, vpc instanceof Vpc ? node.id : availabilityZone, {
        fileSystemId: fileSystem,
        subnetId,
        securityGroups: [group.securityGroupId],
      });
  }
}
