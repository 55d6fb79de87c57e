import { Stack, type StackProps } from 'aws-cdk-lib';
import { GatewayVpcEndpointAwsService, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Cluster } from 'aws-cdk-lib/aws-ecs';
import type { Construct } from 'constructs';
import { acknowledge } from './checks.ts';
import { WorkerServices } from './worker-services.ts';

/** Where workers run: a network that nothing can enter, and a cluster on Fargate. */
export class FleetStack extends Stack {
  readonly cluster: Cluster;
  readonly services: WorkerServices;

  constructor(scope: Construct, id: string, props: StackProps = {}) {
    super(scope, id, props);

    // One NAT gateway is the standing cost of the fleet; a second one would buy little for work that waits in queues.
    const vpc = new Vpc(this, 'Vpc', {
      maxAzs: 2,
      natGateways: 1,
      subnetConfiguration: [
        { name: 'Public', subnetType: SubnetType.PUBLIC },
        { name: 'Workers', subnetType: SubnetType.PRIVATE_WITH_EGRESS },
      ],
      // The default group lets nobody in and nothing uses it; to empty it would take a function of its own.
      restrictDefaultSecurityGroup: false,
    });

    // Jobs, payloads and image layers take these ways, which are free, and not the NAT gateway.
    vpc.addGatewayEndpoint('DynamoDb', { service: GatewayVpcEndpointAwsService.DYNAMODB });
    vpc.addGatewayEndpoint('S3', { service: GatewayVpcEndpointAwsService.S3 });

    this.cluster = new Cluster(this, 'Cluster', { vpc, enableFargateCapacityProviders: true });
    acknowledge(vpc, {
      VPC7: 'Nothing can enter the network; flow logs are a standing cost that the account may add.',
    });
    acknowledge(this.cluster, {
      ECS4: 'Workers are counted by their leases; Container Insights costs per metric and task.',
    });

    this.services = new WorkerServices(this.cluster);

    // Endpoints import these. They are exported without one too, so that the last endpoint is like any other.
    const subnets = vpc.privateSubnets.map(({ subnetId }) => subnetId);
    for (const value of [vpc.vpcId, ...subnets, this.cluster.clusterName]) this.exportValue(value);
  }
}
