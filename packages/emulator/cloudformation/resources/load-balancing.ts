import { account, arn } from '../../account.ts';
import * as definitions from '../../load-balancer/definitions.ts';
import { createListener } from '../../load-balancer/load-balancer.ts';
import { createTargetGroup } from '../../load-balancer/target-group.ts';
import { LocalError } from '../../local-error.ts';
import { describe, physicalName, shortId } from '../resource.ts';
import { run } from '../resource-type.ts';

/** Maximum length of the name of a load balancer or a target group. */
const MAX_NAME_LENGTH = 32;

const loadBalancingArn = (name: string) => arn('elasticloadbalancing', name);

export const loadBalancer = run(definitions.loadBalancer, (resource, { loadBalancers: { loadBalancers } }) => {
  const { Name = physicalName(resource, MAX_NAME_LENGTH), LoadBalancerAttributes: attributes } = resource.properties;
  const fullName = `app/${Name}/${shortId(resource)}`;
  const itsArn = loadBalancingArn(`loadbalancer/${fullName}`);
  const dnsName = `internal-${Name}-${shortId(resource)}.${account.region}.elb.${account.urlSuffix}`.toLowerCase();
  const idleTimeout = attributes['idle_timeout.timeout_seconds'] * 1000;
  loadBalancers.set(itsArn, { arn: itsArn, dnsName, idleTimeout, listeners: new Map() });
  return {
    ref: itsArn,
    attributes: {
      CanonicalHostedZoneID: 'Z00000000000000000000',
      DNSName: dnsName,
      LoadBalancerArn: itsArn,
      LoadBalancerFullName: fullName,
      LoadBalancerName: Name,
    },
  };
});

export const targetGroup = run(definitions.targetGroup, (resource, { loadBalancers: { targetGroups } }) => {
  const { properties } = resource;
  const { Name = physicalName(resource, MAX_NAME_LENGTH), TargetGroupAttributes: attributes } = properties;
  const fullName = `targetgroup/${Name}/${shortId(resource)}`;
  const itsArn = loadBalancingArn(fullName);
  const group = createTargetGroup({
    arn: itsArn,
    check: {
      path: properties.HealthCheckPath,
      interval: properties.HealthCheckIntervalSeconds * 1000,
      timeout: properties.HealthCheckTimeoutSeconds * 1000,
      healthyThreshold: properties.HealthyThresholdCount,
      unhealthyThreshold: properties.UnhealthyThresholdCount,
      statuses: properties.Matcher.HttpCode,
    },
    deregistrationDelay: attributes['deregistration_delay.timeout_seconds'] * 1000,
    algorithm: attributes['load_balancing.algorithm.type'],
  });
  targetGroups.set(itsArn, group);
  return {
    ref: itsArn,
    attributes: { TargetGroupArn: itsArn, TargetGroupFullName: fullName, TargetGroupName: Name },
  };
});

export const listener = run(definitions.listener, (resource, { loadBalancers: { loadBalancers, targetGroups } }) => {
  const { LoadBalancerArn, Port, DefaultActions } = resource.properties;
  const [{ TargetGroupArn }] = DefaultActions;
  const [balancer, group] = [loadBalancers.get(LoadBalancerArn), targetGroups.get(TargetGroupArn)];
  if (!balancer)
    throw new LocalError(`${describe(resource)} cannot run here: there is no load balancer ${LoadBalancerArn}.`);
  if (!group)
    throw new LocalError(`${describe(resource)} cannot run here: there is no target group ${TargetGroupArn}.`);
  if (balancer.listeners.has(Port))
    throw new LocalError(`${describe(resource)} cannot run here: its load balancer has a listener on port ${Port}.`);
  const itsArn = LoadBalancerArn.replace(':loadbalancer/', ':listener/').concat(`/${shortId(resource)}`);
  balancer.listeners.set(Port, createListener(balancer, Port, group));
  group.listeners.add(itsArn);
  return { ref: itsArn, attributes: { ListenerArn: itsArn } };
});
