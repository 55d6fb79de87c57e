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
import { WorkerServices } from './worker-services.ts';

export interface FleetStackProps extends StackProps {
  /** What endpoints can run on besides Fargate. */
  readonly pools: readonly Pool[];
  readonly network: NetworkSettings;
}

/** Where workers run: a network, and a cluster on Fargate and on the pools of instances. It knows no endpoint. */
export class FleetStack extends Stack {
  readonly cluster: Cluster;
  readonly services: WorkerServices;
  readonly #pools: readonly Pool[];
  readonly #providers: ReadonlyMap<string, string>;

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
    this.#providers = new Map(
      pools.map((pool) => [pool.id, new InstancePool(this, `Pool-${pool.id}`, { cluster, pool }).providerName]),
    );

    this.services = new WorkerServices(cluster);

    // Endpoints import these. They are exported without one too, so that the last endpoint is like any other.
    const ofVpc = vpc instanceof Vpc ? [vpc.vpcId, ...vpc.privateSubnets.map(({ subnetId }) => subnetId)] : [];
    for (const value of [...ofVpc, ...this.#providers.values(), cluster.clusterName]) this.exportValue(value);
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
    if ('fargate' in provider) return provider.fargate;
    const name = this.#providers.get(provider.pool);
    if (name === undefined) throw new Error(`There is no pool ${provider.pool}.`);
    return name;
  }
}
