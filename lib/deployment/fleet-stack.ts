import { Annotations, Fn, Lazy, Stack, type StackProps } from 'aws-cdk-lib';
import { type ISecurityGroup, type IVpc, SecurityGroup, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Cluster, type ICluster } from 'aws-cdk-lib/aws-ecs';
import type { Construct, IConstruct } from 'constructs';
import type { Capacity } from '../capacity/capacity.ts';
import { clusterOfApp, ownCluster, type PoolCluster } from '../capacity/cluster.ts';
import { type ClusterNames, derivedFrom, exactly } from '../capacity/cluster-names.ts';
import { ImageCacheRules } from '../capacity/image-caches.ts';
import { InstancePool } from '../capacity/instance-pool.ts';
import { capacityOf } from '../capacity/kinds.ts';
import type { Pool } from '../capacity/pool-declaration.ts';
import { SharedList, SharedValue } from '../constructs/shared-value.ts';
import type { EndpointDeclaration } from '../endpoints/declaration.ts';
import { MountTargets } from '../network/mount-targets.ts';
import { type NetworkSettings, networkOf, privateSubnets } from '../network/network.ts';
import { WorkerServices } from '../releases/worker-services.ts';
import type { StorageStack } from './storage-stack.ts';

export interface FleetStackProps extends StackProps {
  /** The pools that endpoints can run on, in addition to Fargate. */
  readonly pools: readonly Pool[];
  readonly network: NetworkSettings;
  /** VPC of the app, instead of that of the settings. */
  readonly vpc?: IVpc | undefined;
  /** Cluster of the app with its VPC, instead of a new one. */
  readonly cluster?: ICluster | undefined;
  /** Stack with the file system of the volumes. */
  readonly storage: StorageStack;
}

/** Prefix of the construct ids of pools. */
const POOL = 'Pool';

/**
 * The network of the workers, and their cluster with Fargate and the pools of instances. The stack does not depend on
 * endpoints.
 */
export class FleetStack extends Stack {
  /** Name of the cluster. */
  readonly cluster: SharedValue;
  /** Names of this cluster and of its replacements. */
  readonly clusters: ClusterNames;
  readonly services: WorkerServices;
  /**
   * Prefix of the names of the Auto Scaling groups of present and future pools. CloudFormation derives the names from
   * it.
   */
  readonly instanceGroups: string;
  /** Ids of the workers' subnets. */
  readonly #subnets: SharedList;
  /** One of these subnets in each zone, because a load balancer accepts only one subnet in a zone. */
  readonly #zoneSubnets: SharedList;
  /** Id of the network. */
  readonly #vpc: SharedValue;
  /**
   * Id of the security group of all workers. It has no inbound rules. Only this group can reach the workers' volumes.
   */
  readonly #workers: SharedValue;
  readonly #cluster: PoolCluster;
  readonly #instances = new Map<string, { readonly pool: Pool; readonly instances: InstancePool }>();

  constructor(
    scope: Construct,
    id: string,
    { pools, network, vpc: given, cluster: givenCluster, storage, ...props }: FleetStackProps,
  ) {
    super(scope, id, props);
    const vpc = networkOf(this, network, { vpc: given, cluster: givenCluster });

    // CloudFormation defines all capacity providers of a cluster in one resource, so pools are in this stack and not
    // in the stacks of endpoints.
    this.#cluster = givenCluster ? clusterOfApp(this, givenCluster) : ownCluster(this, vpc);
    this.cluster = new SharedValue(this, 'ClusterName', this.#cluster.cluster.clusterName);
    this.instanceGroups = `${this.stackName}-${POOL}`;
    for (const pool of pools) this.addPool(pool);

    new ImageCacheRules(this, 'ImageCaches');

    this.clusters = givenCluster ? exactly(this.cluster) : derivedFrom(this.stackName);
    this.services = new WorkerServices(this.clusters);

    // The subnets of workers, and their access to the volumes.
    this.#subnets = new SharedList(this, 'Subnets', vpc.selectSubnets(privateSubnets).subnetIds);
    const zoned = vpc.selectSubnets({ ...privateSubnets, onePerAz: true });
    this.#zoneSubnets = new SharedList(this, 'ZoneSubnets', zoned.subnetIds);
    this.#vpc = new SharedValue(this, 'VpcId', vpc.vpcId);
    const workers = new SecurityGroup(this, 'Workers', { vpc, description: 'Workers: nothing comes in.' });
    this.#workers = new SharedValue(this, 'WorkersGroupId', workers.securityGroupId);
    new MountTargets(this, 'Volumes', { vpc, workers, fileSystem: storage.volumes.fileSystem.in(this) });
  }

  /** Adds the capacity provider of a pool to the cluster. */
  addPool(pool: Pool): void {
    const instances = new InstancePool(this, `${POOL}-${pool.id}`, { ...this.#cluster, pool });
    this.#instances.set(pool.id, { pool, instances });
  }

  /** The pools, in the order in which they were added. */
  get pools(): readonly Pool[] {
    return [...this.#instances.values()].map(({ pool }) => pool);
  }

  /** Imports the cluster for the workers of another stack, with their subnets. */
  clusterIn(scope: Construct): ICluster {
    const vpcId = Lazy.string({
      produce: () => {
        throw new Error('The stack of an endpoint imports the subnets of its workers, but not the id of their VPC.');
      },
    });
    return this.#clusterIn(scope, vpcId, this.#subnets);
  }

  /** Imports the cluster for a service behind a load balancer, with the VPC and one subnet in each zone. */
  balancedClusterIn(scope: Construct): ICluster {
    return this.#clusterIn(scope, this.#vpc.in(scope), this.#zoneSubnets);
  }

  #clusterIn(scope: Construct, vpcId: string, subnets: SharedList): ICluster {
    // The number of subnets is known only at deployment, so this zone is a placeholder for all zones.
    const vpc = Vpc.fromVpcAttributes(scope, 'Vpc', {
      vpcId,
      availabilityZones: ['all'],
      privateSubnetIds: subnets.in(scope),
    });
    const annotations = Annotations.of(vpc);
    annotations.acknowledgeWarning(
      '@aws-cdk/aws-ec2:noSubnetRouteTableId',
      'The importing stack does not change routes.',
    );
    annotations.acknowledgeWarning(
      '@aws-cdk/aws-ec2:vpcAttributeIsListTokenprivateSubnetIds',
      'Services use all subnets of the list.',
    );
    return Cluster.fromClusterAttributes(scope, 'Cluster', { clusterName: this.cluster.in(scope), vpc });
  }

  /** Returns the ids of the subnets of workers and instances. */
  subnetsIn(reader: IConstruct): string[] {
    return this.#subnets.in(reader);
  }

  /** Imports the security group of all workers for the services of another stack. */
  workersGroupIn(scope: Construct): ISecurityGroup {
    return SecurityGroup.fromSecurityGroupId(scope, 'WorkersGroup', this.#workers.in(scope), { mutable: false });
  }

  /** Prevents a lookup by CDK. With an account and a Region, CDK would call AWS at synthesis and store the result. */
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
    return this.#instances.get(capacity)?.pool;
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
    const found = this.#instances.get(pool);
    if (!found) throw new Error(`There is no pool ${pool}.`);
    return found.instances;
  }
}
