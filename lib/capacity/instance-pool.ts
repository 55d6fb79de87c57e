import {
  AutoScalingGroup,
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
import { AmiHardwareType, AsgCapacityProvider, type Cluster, EcsOptimizedImage } from 'aws-cdk-lib/aws-ecs';
import { Construct } from 'constructs';
import { acknowledge } from '../constructs/checks.ts';
import { SharedValue } from '../constructs/shared-value.ts';
import { InstanceRole } from './instance-role.ts';
import type { Pool } from './pool-declaration.ts';

/** GB of the root volume for the system and its drivers; what the pool declares comes on top. */
const SYSTEM_DISK = 30;

/** In `/etc/ecs/ecs.config`, read by the ECS agent. */
const agentSettings = {
  // Containers get the role of their task, and not that of the instance.
  ECS_AWSVPC_BLOCK_IMDS: true,
  // Logs are written by the execution role of the task, so that the instance needs no permission for it.
  ECS_ENABLE_AWSLOGS_EXECUTIONROLE_OVERRIDE: true,
  // The two minutes before AWS takes a Spot Instance back are for its workers to hand their jobs over.
  ECS_ENABLE_SPOT_INSTANCE_DRAINING: true,
  // An instance that is kept warm joins the cluster when it is needed, not when it is prepared.
  ECS_WARM_POOLS_CHECK: true,
} as const;

function bootScript(): UserData {
  const script = UserData.forLinux();
  for (const [name, value] of Object.entries(agentSettings))
    script.addCommands(`echo ${name}=${value} >> /etc/ecs/ecs.config`);
  return script;
}

/** Returns the AMI of the pool's file, or the ECS image with drivers of NVIDIA that is the latest at deployment. */
const imageOf = ({ image }: Pool): IMachineImage =>
  image === undefined
    ? EcsOptimizedImage.amazonLinux2023(AmiHardwareType.GPU)
    : { getImage: () => ({ imageId: image, osType: OperatingSystemType.LINUX, userData: UserData.forLinux() }) };

export interface InstancePoolProps {
  readonly cluster: Cluster;
  readonly pool: Pool;
}

/** Instances of one kind: as many as the tasks of all services on the pool need, and none without tasks. */
export class InstancePool extends Construct {
  /** Name of the capacity provider, which services name. */
  readonly provider: SharedValue;
  /** Name of the Auto Scaling group, whose events say that an instance cannot be started. */
  readonly group: SharedValue;

  constructor(scope: Construct, id: string, { cluster, pool }: InstancePoolProps) {
    super(scope, id);
    const { vpc } = cluster;

    // No traffic reaches an instance, and only the ECS agent gets its credentials.
    const securityGroup = new SecurityGroup(this, 'SecurityGroup', {
      vpc,
      description: `Instances of ${pool.id}: nothing comes in.`,
    });
    const launchTemplate = new LaunchTemplate(this, 'Template', {
      machineImage: imageOf(pool),
      userData: bootScript(),
      role: new InstanceRole(this, 'Role', { cluster }).only,
      securityGroup,
      httpTokens: LaunchTemplateHttpTokens.REQUIRED,
      httpPutResponseHopLimit: 1,
      blockDevices: [
        {
          deviceName: pool.rootDevice,
          volume: BlockDeviceVolume.ebs(SYSTEM_DISK + pool.diskInGb, {
            volumeType: EbsDeviceVolumeType.GP3,
            encrypted: true,
          }),
        },
      ],
    });

    // The types are tried in their order; of Spot Instances, those first that are cheap and unlikely to be reclaimed.
    const group = new AutoScalingGroup(this, 'Group', {
      vpc,
      minCapacity: 0,
      maxCapacity: pool.maxInstances,
      newInstancesProtectedFromScaleIn: true,
      mixedInstancesPolicy: {
        launchTemplate,
        launchTemplateOverrides: pool.instanceTypes.map((name) => ({ instanceType: new InstanceType(name) })),
        instancesDistribution: {
          onDemandPercentageAboveBaseCapacity: pool.spot ? 0 : 100,
          onDemandAllocationStrategy: OnDemandAllocationStrategy.PRIORITIZED,
          spotAllocationStrategy: SpotAllocationStrategy.PRICE_CAPACITY_OPTIMIZED,
        },
      },
    });
    if (pool.warmInstances > 0)
      group.addWarmPool({
        minSize: pool.warmInstances,
        maxGroupPreparedCapacity: pool.warmInstances,
        poolState: PoolState.STOPPED,
      });

    // ECS starts an instance for tasks that have no room, and ends one after its last task.
    const provider = new AsgCapacityProvider(this, 'Provider', {
      autoScalingGroup: group,
      enableManagedScaling: true,
      enableManagedTerminationProtection: true,
      enableManagedDraining: true,
    });
    cluster.addAsgCapacityProvider(provider);
    this.provider = new SharedValue(this, 'ProviderName', provider.capacityProviderName);
    this.group = new SharedValue(this, 'GroupName', group.autoScalingGroupName);

    acknowledge(group, {
      AS3: 'ECS manages the instances and reports the states of tasks.',
      EC26: 'The rule cannot read the launch template, which encrypts the volume.',
    });
  }
}
