import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AutoScalingGroup,
  type MixedInstancesPolicy,
  OnDemandAllocationStrategy,
  PoolState,
  SpotAllocationStrategy,
} from 'aws-cdk-lib/aws-autoscaling';
import {
  BlockDeviceVolume,
  EbsDeviceVolumeType,
  type IMachineImage,
  InstanceType,
  LaunchTemplate,
  LaunchTemplateHttpTokens,
  OperatingSystemType,
  SecurityGroup,
  UserData,
} from 'aws-cdk-lib/aws-ec2';
import { AmiHardwareType, AsgCapacityProvider, EcsOptimizedImage } from 'aws-cdk-lib/aws-ecs';
import { Construct } from 'constructs';
import { acknowledge } from '../constructs/acknowledge.ts';
import { SharedValue } from '../constructs/shared-value.ts';
import type { PoolCluster } from './cluster.ts';
import { InstanceRole } from './instance-role.ts';
import type { Pool } from './pool-declaration.ts';

/** GB of the root volume for the system and its drivers. The disk that the pool declares is added to it. */
const SYSTEM_DISK = 30;

/** Settings in `/etc/ecs/ecs.config`, which the ECS agent reads. */
const agentSettings = {
  // Containers get the role of their task, and not the role of the instance.
  ECS_AWSVPC_BLOCK_IMDS: true,
  // The execution role of the task writes logs, so the instance needs no permission for them.
  ECS_ENABLE_AWSLOGS_EXECUTIONROLE_OVERRIDE: true,
  // Workers use the two minutes before AWS reclaims a Spot Instance to give up their jobs.
  ECS_ENABLE_SPOT_INSTANCE_DRAINING: true,
  // A warm instance joins the cluster when it is needed, and not when it is prepared.
  ECS_WARM_POOLS_CHECK: true,
  // The worker's image, which is the larger one, is pulled at once, and not after the agent has become healthy.
  ECS_PULL_DEPENDENT_CONTAINERS_UPFRONT: true,
  // The second worker of an image asks no registry. ECS passes the digest of a tag, so a changed tag is pulled.
  ECS_IMAGE_PULL_BEHAVIOR: 'prefer-cached',
  // Layers of several GB take longer to unpack than the default of a minute.
  ECS_IMAGE_PULL_INACTIVITY_TIMEOUT: '30m',
} as const;

/** Script that puts images and containers on the disks of the instance. */
const LOCAL_DISKS = join(import.meta.dirname, 'local-disks.sh');

function bootScript({ disk }: Pool): UserData {
  const script = UserData.forLinux();
  for (const [name, value] of Object.entries(agentSettings))
    script.addCommands(`echo ${name}=${value} >> /etc/ecs/ecs.config`);
  if (disk === 'local') script.addCommands(readFileSync(LOCAL_DISKS, 'utf8').trimEnd());
  return script;
}

/** Throughput in MiB/s for each operation per second that a gp3 volume can have, and the number that is included. */
const THROUGHPUT_PER_IOPS = 0.25;
const INCLUDED_IOPS = 3_000;

/** Returns the root volume, which also has the images and the files of containers unless they are on local disks. */
function rootVolume({ disk, diskInGb, diskThroughput }: Pool): BlockDeviceVolume {
  const gp3 = { volumeType: EbsDeviceVolumeType.GP3, encrypted: true };
  if (disk === 'local') return BlockDeviceVolume.ebs(SYSTEM_DISK, gp3);
  const iops = Math.max(INCLUDED_IOPS, Math.ceil(diskThroughput / THROUGHPUT_PER_IOPS));
  return BlockDeviceVolume.ebs(SYSTEM_DISK + diskInGb, { ...gp3, throughput: diskThroughput, iops });
}

/**
 * Returns the AMI that the pool's file names, or the ECS image with NVIDIA drivers that is the latest at deployment.
 */
const imageOf = ({ image }: Pool): IMachineImage =>
  image === undefined
    ? EcsOptimizedImage.amazonLinux2023(AmiHardwareType.GPU)
    : { getImage: () => ({ imageId: image, osType: OperatingSystemType.LINUX, userData: UserData.forLinux() }) };

/**
 * Tries types in the order of the file. For Spot Instances, cheap types that are unlikely to be reclaimed are tried
 * first.
 */
const typesInOrder = ({ instanceTypes, spot }: Pool, launchTemplate: LaunchTemplate): MixedInstancesPolicy => ({
  launchTemplate,
  launchTemplateOverrides: instanceTypes.map((name) => ({ instanceType: new InstanceType(name) })),
  instancesDistribution: {
    onDemandPercentageAboveBaseCapacity: spot ? 0 : 100,
    onDemandAllocationStrategy: OnDemandAllocationStrategy.PRIORITIZED,
    spotAllocationStrategy: SpotAllocationStrategy.PRICE_CAPACITY_OPTIMIZED,
  },
});

export interface InstancePoolProps extends PoolCluster {
  readonly pool: Pool;
}

/** Instances of one kind. Their number follows the tasks of all services on the pool, and is 0 without tasks. */
export class InstancePool extends Construct {
  /** Name of the capacity provider, to which services refer. */
  readonly provider: SharedValue;
  /** Name of the Auto Scaling group, whose events report that an instance cannot be started. */
  readonly group: SharedValue;

  constructor(scope: Construct, id: string, { cluster, addProvider, pool }: InstancePoolProps) {
    super(scope, id);
    const { vpc } = cluster;

    // Instances accept no inbound traffic, and only the ECS agent gets their credentials.
    const securityGroup = new SecurityGroup(this, 'SecurityGroup', {
      vpc,
      description: `Instances of ${pool.id}: nothing comes in.`,
    });
    const [firstType = ''] = pool.instanceTypes;
    const launchTemplate = new LaunchTemplate(this, 'Template', {
      machineImage: imageOf(pool),
      // A group with a warm pool cannot have a policy with several types, so its template names the only one.
      ...(pool.warmInstances > 0 && { instanceType: new InstanceType(firstType) }),
      userData: bootScript(pool),
      role: new InstanceRole(this, 'Role', { cluster }).only,
      securityGroup,
      httpTokens: LaunchTemplateHttpTokens.REQUIRED,
      httpPutResponseHopLimit: 1,
      blockDevices: [
        {
          deviceName: pool.rootDevice,
          volume: rootVolume(pool),
        },
      ],
    });

    const isWarm = pool.warmInstances > 0;
    const group = new AutoScalingGroup(this, 'Group', {
      vpc,
      minCapacity: 0,
      maxCapacity: pool.maxInstances,
      newInstancesProtectedFromScaleIn: true,
      ...(isWarm ? { launchTemplate } : { mixedInstancesPolicy: typesInOrder(pool, launchTemplate) }),
    });
    if (isWarm)
      group.addWarmPool({
        minSize: pool.warmInstances,
        maxGroupPreparedCapacity: pool.warmInstances,
        poolState: PoolState.STOPPED,
      });

    // ECS starts an instance for tasks that do not fit on the running instances, and terminates an instance after its
    // last task.
    const provider = new AsgCapacityProvider(this, 'Provider', {
      autoScalingGroup: group,
      enableManagedScaling: true,
      enableManagedTerminationProtection: true,
      enableManagedDraining: true,
    });
    addProvider(provider);
    this.provider = new SharedValue(this, 'ProviderName', provider.capacityProviderName);
    this.group = new SharedValue(this, 'GroupName', group.autoScalingGroupName);

    acknowledge(group, {
      AS3: 'ECS manages the instances and reports the states of tasks.',
      EC26: 'The rule cannot read the launch template, which encrypts the volume.',
    });
  }
}
