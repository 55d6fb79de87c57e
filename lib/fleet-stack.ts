import { Stack, type StackProps } from 'aws-cdk-lib';
import { Vpc } from 'aws-cdk-lib/aws-ec2';
import { Cluster } from 'aws-cdk-lib/aws-ecs';
import type { Construct } from 'constructs';
import { type Capacity, capacityOf } from './capacity/capacity.ts';
import { InstancePool } from './capacity/instance-pool.ts';
import type { Pool } from './capacity/pool-declaration.ts';
import { acknowledge } from './checks.ts';
import type { EndpointDeclaration } from './endpoint-declaration.ts';
import { type NetworkSettings, networkOf } from './network.ts';
import { Volumes } from './volumes.ts';
import { WorkerServices } from './worker-services.ts';

export interface FleetStackProps extends StackProps {
  /** What endpoints can run on besides Fargate. */
  readonly pools: readonly Pool[];
  readonly network: NetworkSettings;
}

/** What the ids of pools in the template begin with. */
const POOL = 'Pool';

/** Where workers run: a network, and a cluster on Fargate and on the pools of instances. It knows no endpoint. */
export class FleetStack extends Stack {
  readonly cluster: Cluster;
  readonly services: WorkerServices;
  readonly volumes: Volumes;
  /** What the names of the pools' Auto Scaling groups begin with, also of pools to come: CloudFormation makes them of these. */
  readonly instanceGroups: string;
  readonly #pools: readonly Pool[];
  readonly #instances: ReadonlyMap<string, InstancePool>;

  constructor(scope: Construct, id: string, { pools, network, ...props }: FleetStackProps) {
    super(scope, id, props);
    const vpc = networkOf(this, network);

    // CloudFormation wants all capacity providers of a cluster in one place, so pools are here and not with endpoints.
    const cluster = new Cluster(this, 'Cluster', { vpc, enableFargateCapacityProviders: true });
    acknowledge(cluster, {
      ECS4: 'Workers are counted by their leases; Container Insights costs per metric and task.',
    });
    this.cluster = cluster;
    this.#pools = pools;
    this.instanceGroups = `${this.stackName}-${POOL}`;
    this.#instances = new Map(
      pools.map((pool) => [pool.id, new InstancePool(this, `${POOL}-${pool.id}`, { cluster, pool })]),
    );

    this.services = new WorkerServices(cluster);

    // The file system is where the network is, and stays when that goes.
    this.volumes = new Volumes(this, 'Volumes', { vpc });

    // Endpoints import these. They are exported without one too, so that the last endpoint is like any other.
    const ofVpc = vpc instanceof Vpc ? [vpc.vpcId, ...vpc.privateSubnets.map(({ subnetId }) => subnetId)] : [];
    const ofPools = [...this.#instances.values()].flatMap(({ providerName, groupName }) => [providerName, groupName]);
    const { fileSystem, workers } = this.volumes;
    const ofVolumes = [fileSystem.fileSystemId, fileSystem.fileSystemArn, workers.securityGroupId];
    for (const value of [...ofVpc, ...ofPools, ...ofVolumes, cluster.clusterName]) this.exportValue(value);
  }

  /** What the endpoint's workers run on. */
  capacityOf({ capacity, ...wish }: EndpointDeclaration): Capacity {
    return capacityOf(
      wish,
      this.#pools.find(({ id }) => id === capacity),
    );
  }

  /** What services name as their capacity provider. */
  providerOf({ provider }: Capacity): string {
    return 'fargate' in provider ? provider.fargate : this.#instancesOf(provider.pool).providerName;
  }

  /** Name of the Auto Scaling group that starts the instances of the endpoint's workers; none on Fargate. */
  instanceGroupOf({ provider }: Capacity): string | undefined {
    return 'fargate' in provider ? undefined : this.#instancesOf(provider.pool).groupName;
  }

  #instancesOf(pool: string): InstancePool {
    const instances = this.#instances.get(pool);
    if (!instances) throw new Error(`There is no pool ${pool}.`);
    return instances;
  }
}
