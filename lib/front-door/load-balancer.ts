import { Duration } from 'aws-cdk-lib';
import { type IVpc, Port, SecurityGroup } from 'aws-cdk-lib/aws-ec2';
import {
  ApplicationListener,
  ApplicationLoadBalancer,
  ApplicationProtocol,
  ApplicationTargetGroup,
  TargetGroupLoadBalancingAlgorithmType,
  TargetType,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { Construct } from 'constructs';
import { HEALTH_PATH, ingressPorts, MAX_CALL_DURATION } from '../../core/http/ingress.ts';
import { acknowledge } from '../constructs/acknowledge.ts';
import { cloudFrontPeer } from './prefix-lists.ts';

const healthCheck = {
  path: HEALTH_PATH,
  interval: Duration.seconds(10),
  timeout: Duration.seconds(8),
  healthyThresholdCount: 2,
  // ECS stops a task that fails this check, with all its calls. Large bodies can keep a task from answering for
  // seconds.
  unhealthyThresholdCount: 5,
};

export interface Entrance {
  readonly port: number;
  readonly listener: ApplicationListener;
  readonly targets: ApplicationTargetGroup;
}

/**
 * The load balancer of the ingress, which has no public address. It has two ports, so that security groups determine
 * which port a caller reaches: only CloudFront reaches the port without an authorizer. Workers run code of users in
 * the same network, and cannot reach either port.
 */
export class LoadBalancer extends Construct {
  readonly balancer: ApplicationLoadBalancer;
  /** Security group of the VPC link. It reaches only the port for API Gateway. */
  readonly linkGroup: SecurityGroup;
  /** Listener for requests from API Gateway. */
  readonly gateway: Entrance;
  /** Listener for requests from CloudFront with bodies that are too large for API Gateway. */
  readonly direct: Entrance;

  constructor(scope: Construct, id: string, vpc: IVpc) {
    super(scope, id);
    const closed = (name: string, description: string) =>
      new SecurityGroup(this, name, { vpc, description, allowAllOutbound: false });
    const group = closed('Group', 'Ingress: API Gateway and CloudFront come in, each by its port.');
    this.linkGroup = closed('LinkGroup', 'VPC link of API Gateway: goes to the load balancer of the ingress.');
    group.connections.allowFrom(this.linkGroup, Port.tcp(ingressPorts.gateway), 'API Gateway');
    group.connections.allowFrom(cloudFrontPeer(this), Port.tcp(ingressPorts.direct), 'CloudFront');

    this.balancer = new ApplicationLoadBalancer(this, 'Balancer', {
      vpc,
      internetFacing: false,
      securityGroup: group,
      // As long as the longest call, so that the load balancer never closes the connection of a waiting call.
      idleTimeout: Duration.millis(MAX_CALL_DURATION),
      dropInvalidHeaderFields: true,
      preserveHostHeader: true,
    });
    acknowledge(this.balancer, {
      ELB2: 'Access logs would need a bucket, and their paths contain ids of jobs. `accessLogDays` logs the interfaces.',
    });
    this.gateway = this.#entrance('Gateway', vpc, ingressPorts.gateway);
    this.direct = this.#entrance('Direct', vpc, ingressPorts.direct);
  }

  #entrance(name: string, vpc: IVpc, port: number): Entrance {
    const protocol = ApplicationProtocol.HTTP;
    const targets = new ApplicationTargetGroup(this, `${name}Targets`, {
      vpc,
      port,
      protocol,
      targetType: TargetType.IP,
      // A deregistered task gets no new calls, and stops after its open calls.
      deregistrationDelay: Duration.millis(MAX_CALL_DURATION),
      // The duration of waits varies widely. With round robin, one task could get most of the long calls.
      loadBalancingAlgorithmType: TargetGroupLoadBalancingAlgorithmType.LEAST_OUTSTANDING_REQUESTS,
      healthCheck,
    });
    const listener = new ApplicationListener(this, `${name}Listener`, {
      loadBalancer: this.balancer,
      port,
      protocol,
      // The listener must not add its own rules to the security group.
      open: false,
      defaultTargetGroups: [targets],
    });
    return { port, listener, targets };
  }
}
