import { Annotations, Fn, Lazy, Stack, type StackProps } from 'aws-cdk-lib';
import { type ISecurityGroup, SecurityGroup, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Cluster, type ICluster } from 'aws-cdk-lib/aws-ecs';
import type { Construct, IConstruct } from 'constructs';
import type { Capacity } from '../capacity/capacity.ts';
import { InstancePool } from '../capacity/instance-pool.ts';
import { capacityOf } from '../capacity/kinds.ts';
import type { Pool } from '../capacity/pool-declaration.ts';
import { acknowledge } from '../constructs/checks.ts';
import { SharedList, SharedValue } from '../constructs/shared-value.ts';
import type { EndpointDeclaration } from '../endpoints/declaration.ts';
import { MountTargets } from '../network/mount-targets.ts';
import { type NetworkSettings, networkOf } from '../network/network.ts';
import { WorkerServices } from '../releases/worker-services.ts';
import type { StorageStack } from './storage-stack.ts';

export interface FleetStackProps extends StackProps {
  /** The pools that endpoints can run on besides Fargate. */
  readonly pools: readonly Pool[];
  readonly network: NetworkSettings;
  /** Has the file system of the volumes. */
  readonly storage: StorageStack;
}

/** Prefix of the ids of pools in the template. */
const POOL = 'Pool';

/** The network of the workers, and their cluster on Fargate and on the pools of instances. It knows no endpoint. */
export class FleetStack extends Stack {
  /** Name of the cluster. */
  readonly cluster: SharedValue;
  /** Prefix of the name of the cluster, also of one that replaces it: CloudFormation makes it of the stack's name. */
  readonly clusters: string;
  readonly services: WorkerServices;
  /**
   * Prefix of the names of the pools' Auto Scaling groups, also of future pools: CloudFormation makes the names of it.
   */
  readonly instanceGroups: string;
  /** Ids of the subnets that workers are in. */
  readonly #subnets: SharedList;
  /** One of them in each zone: a load balancer takes no second one. */
  readonly #zoneSubnets: SharedList;
  /** Id of the network. */
  readonly #vpc: SharedValue;
  /** Id of the security group of all workers. It lets nothing in, and is the only one that reaches their files. */
  readonly #workers: SharedValue;
  readonly #pools: readonly Pool[];
  readonly #instances: ReadonlyMap<string, InstancePool>;

  constructor(scope: Construct, id: string, { pools, network, storage, ...props }: FleetStackProps) {
    super(scope, id, props);
    const vpc = networkOf(this, network);

    // CloudFormation wants all capacity providers of a cluster in one place, so pools are here and not with endpoints.
    const cluster = new Cluster(this, 'Cluster', { vpc, enableFargateCapacityProviders: true });
    acknowledge(cluster, {
      ECS4: 'Workers are counted by their leases; Container Insights costs per metric and task.',
    });
    this.cluster = new SharedValue(this, 'ClusterName', cluster.clusterName);
    this.#pools = pools;
    this.instanceGroups = `${this.stackName}-${POOL}`;
    this.#instances = new Map(
      pools.map((pool) => [pool.id, new InstancePool(this, `${POOL}-${pool.id}`, { cluster, pool })]),
    );

    this.clusters = `${this.stackName}-`;
    this.services = new WorkerServices(this.clusters);

    // The subnets of workers, and their access to the volumes.
    const privateSubnets = { subnetType: SubnetType.PRIVATE_WITH_EGRESS };
    this.#subnets = new SharedList(this, 'Subnets', vpc.selectSubnets(privateSubnets).subnetIds);
    const zoned = vpc.selectSubnets({ ...privateSubnets, onePerAz: true });
    this.#zoneSubnets = new SharedList(this, 'ZoneSubnets', zoned.subnetIds);
    this.#vpc = new SharedValue(this, 'VpcId', vpc.vpcId);
    const workers = new SecurityGroup(this, 'Workers', { vpc, description: 'Workers: nothing comes in.' });
    this.#workers = new SharedValue(this, 'WorkersGroupId', workers.securityGroupId);
    new MountTargets(this, 'Volumes', { vpc, workers, fileSystem: storage.volumes.fileSystem.in(this) });
  }

  /** Imports the cluster for the workers of another stack, with their subnets. */
  clusterIn(scope: Construct): ICluster {
    const vpcId = Lazy.string({
      produce: () => {
        throw new Error('The stack of an endpoint has the subnets of its workers, and not the id of their VPC.');
      },
    });
    return this.#clusterIn(scope, vpcId, this.#subnets);
  }

  /** Imports the cluster for a service behind a load balancer, with the VPC and one subnet in each zone. */
  balancedClusterIn(scope: Construct): ICluster {
    return this.#clusterIn(scope, this.#vpc.in(scope), this.#zoneSubnets);
  }

  #clusterIn(scope: Construct, vpcId: string, subnets: SharedList): ICluster {
    // The number of subnets is known at deployment alone: this zone stands for all.
    const vpc = Vpc.fromVpcAttributes(scope, 'Vpc', {
      vpcId,
      availabilityZones: ['all'],
      privateSubnetIds: subnets.in(scope),
    });
    const notes = Annotations.of(vpc);
    notes.acknowledgeWarning('@aws-cdk/aws-ec2:noSubnetRouteTableId', 'Nothing is added to routes.');
    notes.acknowledgeWarning(
      '@aws-cdk/aws-ec2:vpcAttributeIsListTokenprivateSubnetIds',
      'Services take all subnets as they come.',
    );
    return Cluster.fromClusterAttributes(scope, 'Cluster', { clusterName: this.cluster.in(scope), vpc });
  }

  /** Imports the security group of all workers for the services of another stack. */
  workersGroupIn(scope: Construct): ISecurityGroup {
    return SecurityGroup.fromSecurityGroupId(scope, 'WorkersGroup', this.#workers.in(scope), { mutable: false });
  }

  /** Prevents CDK's look-up: with an account and a Region it would call AWS at synthesis, and store the result. */
  override get availabilityZones(): string[] {
    return [0, 1].map((at) => Fn.select(at, Fn.getAzs()));
  }

  /** Returns the capacity that the endpoint's workers run on. */
  capacityOf(declaration: EndpointDeclaration): Capacity {
    const { capacity: _, ...request } = declaration;
    return capacityOf(request, this.poolOf(declaration));
  }

  /** Returns the pool that the endpoint's workers run on, or undefined on Fargate. */
  poolOf({ capacity }: EndpointDeclaration): Pool | undefined {
    return this.#pools.find(({ id }) => id === capacity);
  }

  /** Returns the name of the capacity provider for services. */
  providerOf({ provider }: Capacity, reader: IConstruct): string {
    return 'fargate' in provider ? provider.fargate : this.#instancesOf(provider.pool).provider.in(reader);
  }

  /** Returns the name of the Auto Scaling group of the endpoint's workers, or undefined on Fargate. */
  instanceGroupOf({ provider }: Capacity, reader: IConstruct): string | undefined {
    return 'fargate' in provider ? undefined : this.#instancesOf(provider.pool).group.in(reader);
  }

  #instancesOf(pool: string): InstancePool {
    const instances = this.#instances.get(pool);
    if (!instances) throw new Error(`There is no pool ${pool}.`);
    return instances;
  }
}
