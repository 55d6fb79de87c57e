/** The cluster of the workers and the ingress: a new one, or one of the app. */
import { Lazy } from 'aws-cdk-lib';
import type { IVpc } from 'aws-cdk-lib/aws-ec2';
import {
  type AsgCapacityProvider,
  BaseService,
  CfnClusterCapacityProviderAssociations,
  Cluster,
  type ICluster,
} from 'aws-cdk-lib/aws-ecs';
import type { Construct } from 'constructs';
import { acknowledge } from '../constructs/acknowledge.ts';

/** A cluster to which pools add their capacity providers. */
export interface PoolCluster {
  readonly cluster: ICluster;
  addProvider(provider: AsgCapacityProvider): void;
}

export function ownCluster(scope: Construct, vpc: IVpc): PoolCluster {
  const cluster = new Cluster(scope, 'Cluster', { vpc, enableFargateCapacityProviders: true });
  acknowledge(cluster, {
    ECS4: 'Workers are counted by their leases. Container Insights is charged for each metric and task.',
  });
  // CDK's own types are not exact: `Cluster` declares optional members that can be undefined, and `ICluster` does not.
  return { cluster: cluster as ICluster, addProvider: (provider) => cluster.addAsgCapacityProvider(provider) };
}

/**
 * Returns the app's cluster. CloudFormation has one list of a cluster's capacity providers, which names the pools: it is
 * in the stack of the scope, because the stack of the cluster cannot depend on the pools, which depend on the cluster.
 */
export function clusterOfApp(scope: Construct, cluster: ICluster): PoolCluster {
  const capacityProviders = ['FARGATE', 'FARGATE_SPOT'];
  const list = new CfnClusterCapacityProviderAssociations(scope, 'CapacityProviders', {
    cluster: cluster.clusterName,
    capacityProviders: Lazy.list({ produce: () => capacityProviders }),
    defaultCapacityProviderStrategy: [],
  });
  scope.node.addValidation({ validate: () => refusals(cluster, list) });
  return {
    cluster,
    addProvider({ capacityProviderName, autoScalingGroup }) {
      capacityProviders.push(capacityProviderName);
      autoScalingGroup.addUserData(`echo ECS_CLUSTER=${cluster.clusterName} >> /etc/ecs/ecs.config`);
    },
  };
}

/** Returns what the app itself has in the cluster. What other apps have there is unknown at synthesis. */
function refusals(cluster: ICluster, own: CfnClusterCapacityProviderAssociations): string[] {
  const name: unknown = own.stack.resolve(cluster.clusterName);
  const all = cluster.node.root.node.findAll();
  const pathsOf = (found: readonly Construct[]) => found.map(({ node }) => node.path).join(', ');
  const lists = all.filter(
    (node) =>
      node instanceof CfnClusterCapacityProviderAssociations &&
      node !== own &&
      JSON.stringify(own.stack.resolve(node.cluster)) === JSON.stringify(name),
  );
  const services = all.filter((node) => node instanceof BaseService && node.cluster === cluster);
  return [
    ...(lists.length > 0
      ? [
          `The app gives \`cluster\` with capacity providers of its own (${pathsOf(lists)}): the deployment sets the whole list, with Fargate and its pools. Remove them, or omit \`cluster\`.`,
        ]
      : []),
    ...(services.length > 0
      ? [
          `The app gives \`cluster\` with services of its own (${pathsOf(services)}): functions and instances of the deployment can act on everything in its cluster. Give a cluster that runs nothing else, or omit \`cluster\`.`,
        ]
      : []),
  ];
}
