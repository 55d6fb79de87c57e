/**
 * Calculates the cost of requests behind or in front of API Gateway: in the distribution, and in the ingress or
 * functions. The ingress costs capacity units of its load balancer, and the time of its tasks.
 */

import { OPEN_CALLS_METRIC } from '../../core/http/ingress.ts';
import type { Prices } from '../../lib/prices/prices.ts';
import { type App, isValues, type Resource } from '../assembly/app.ts';
import { hourOf } from './workers.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/**
 * New connections a second and open connections that one capacity unit includes. AWS charges for the larger number of
 * units.
 */
const unit = { newConnections: 25, openConnections: 3_000 } as const;

export interface IngressTask {
  /** US dollars of an hour. */
  readonly hour: number;
  /** Number of calls at which another task starts. */
  readonly calls: number;
}

export interface Requests {
  readonly count: number;
  /** How long each request is held because it waits, in milliseconds. */
  readonly held: number;
}

/** Services of workers have an empty list of load balancers. */
const isBalanced = ({ LoadBalancers }: Resource['properties']): boolean =>
  Array.isArray(LoadBalancers) && LoadBalancers.length > 0;

const isOfIngress = ({ type, properties }: Resource): boolean =>
  type === 'AWS::ElasticLoadBalancingV2::LoadBalancer' ||
  type === 'AWS::ApplicationAutoScaling::ScalingPolicy' ||
  (type === 'AWS::ECS::Service' && isBalanced(properties)) ||
  (type === 'AWS::CloudWatch::Alarm' &&
    (properties.Namespace === 'AWS/ApplicationELB' || properties.MetricName === OPEN_CALLS_METRIC));

/** Returns the resources with standing costs that `-c ingress=off` removes. */
export const ingressResources = ({ resources }: App): ReadonlySet<Resource> => new Set(resources.filter(isOfIngress));

/** @returns undefined if functions serve calls that wait */
export function ingressTaskOf(app: App, prices: Prices): IngressTask | undefined {
  const its = [...ingressResources(app)];
  const service = its.find(({ type }) => type === 'AWS::ECS::Service');
  const policy = its.find(({ type }) => type === 'AWS::ApplicationAutoScaling::ScalingPolicy');
  const tracking = policy?.properties.TargetTrackingScalingPolicyConfiguration;
  const hour = service && hourOf(app, service, prices).hour;
  if (hour === undefined || !isValues(tracking)) return undefined;
  return { hour, calls: Number(tracking.TargetValue) };
}

/** Returns US dollars of requests that the ingress serves. Requests do not share connections. */
export function ingressDollars({ perHour, assumedMs }: Prices, task: IngressTask, { count, held }: Requests): number {
  const opening = (count * SECOND) / unit.newConnections / HOUR;
  const open = (count * held) / unit.openConnections / HOUR;
  const computing = (count * assumedMs.handler) / HOUR;
  const waiting = (count * held) / task.calls / HOUR;
  return Math.max(opening, open) * perHour.balancerUnit.price + (computing + waiting) * task.hour;
}

/** Returns US dollars of requests that functions serve, with this memory in MB. */
export function functionDollars({ perMillion, assumedMs }: Prices, memory: number, { count, held }: Requests): number {
  const gbSeconds = ((count * (held + assumedMs.handler)) / SECOND) * (memory / 1_024);
  return (count * perMillion.lambdaRequest.price + gbSeconds * perMillion.lambdaGbSecond.price) / 1_000_000;
}

/** Returns US dollars of a million requests to the distribution and its function. */
export const distributionDollars = ({ perMillion }: Prices): number =>
  perMillion.distributionRequest.price + perMillion.distributionFunction.price;
