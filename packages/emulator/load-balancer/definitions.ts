/** The supported properties of Application Load Balancers, and the load balancers that the templates declare. */
import * as z from 'zod/mini';
import { ignored } from '../cloudformation/resource.ts';
import type { LoadBalancer } from './load-balancer.ts';
import type { TargetGroup } from './target-group.ts';

const number = z.coerce.number();

/** Converts `Key` and `Value` pairs to an object. The schema of the type checks the keys of the object. */
const attributes = z.pipe(
  z.array(z.strictObject({ Key: z.string(), Value: z.string() })),
  z.transform((pairs): unknown => Object.fromEntries(pairs.map(({ Key, Value }) => [Key, Value]))),
);

const disabled = z.optional(z.literal('false'));
const seconds = (min: number, max: number) => number.check(z.int(), z.minimum(min), z.maximum(max));

export const loadBalancer = z.strictObject({
  Name: z.optional(z.string()),
  Type: z._default(z.literal('application'), 'application'),
  // Only programs on this machine can call, whatever the security groups and subnets are.
  Scheme: ignored,
  IpAddressType: ignored,
  SecurityGroups: ignored,
  Subnets: ignored,
  Tags: ignored,
  LoadBalancerAttributes: z.prefault(
    z.pipe(
      attributes,
      z.strictObject({
        'idle_timeout.timeout_seconds': z._default(seconds(1, 4000), 60),
        // Deletion protection has no effect: the local load balancer exists until the user stops the service.
        'deletion_protection.enabled': ignored,
        // This machine is the only zone.
        'load_balancing.cross_zone.enabled': ignored,
        'zonal_shift.config.enabled': ignored,
        // Node.js refuses invalid headers, and requests with an ambiguous length.
        'routing.http.drop_invalid_header_fields.enabled': ignored,
        'routing.http.desync_mitigation_mode': ignored,
        // Clients on this machine use HTTP/1.1, and the server limits how long a connection lasts.
        'routing.http2.enabled': ignored,
        'client_keep_alive.seconds': ignored,
        // The header `Host` is forwarded unchanged.
        'routing.http.preserve_host_header.enabled': ignored,
        // The local load balancer writes no logs, and has no firewall.
        'access_logs.s3.enabled': ignored,
        'access_logs.s3.bucket': ignored,
        'access_logs.s3.prefix': ignored,
        'waf.fail_open.enabled': ignored,
        'routing.http.xff_client_port.enabled': disabled,
        'routing.http.xff_header_processing.mode': z.optional(z.literal('append')),
      }),
    ),
    [],
  ),
});

/** Matches accepted statuses, such as `200`, `200,202` or `200-299`. */
const STATUSES = /^\d{3}(?:-\d{3})?(?:,\d{3}(?:-\d{3})?)*$/;

export const targetGroup = z.strictObject({
  Name: z.optional(z.string()),
  Port: number,
  Protocol: z.literal('HTTP'),
  ProtocolVersion: z.optional(z.literal('HTTP1')),
  TargetType: z.literal('ip'),
  IpAddressType: ignored,
  VpcId: ignored,
  Tags: ignored,
  HealthCheckEnabled: z.optional(z.literal(true)),
  HealthCheckPath: z._default(z.string(), '/'),
  HealthCheckPort: z.optional(z.literal('traffic-port')),
  HealthCheckProtocol: z.optional(z.literal('HTTP')),
  HealthCheckIntervalSeconds: z._default(seconds(5, 300), 30),
  HealthCheckTimeoutSeconds: z._default(seconds(2, 120), 5),
  HealthyThresholdCount: z._default(seconds(2, 10), 5),
  UnhealthyThresholdCount: z._default(seconds(2, 10), 2),
  Matcher: z._default(z.strictObject({ HttpCode: z.string().check(z.regex(STATUSES)) }), { HttpCode: '200' }),
  TargetGroupAttributes: z.prefault(
    z.pipe(
      attributes,
      z.strictObject({
        'deregistration_delay.timeout_seconds': z._default(seconds(0, 3600), 300),
        'load_balancing.algorithm.type': z._default(
          z.literal(['round_robin', 'least_outstanding_requests']),
          'round_robin',
        ),
        'load_balancing.cross_zone.enabled': ignored,
        'stickiness.enabled': disabled,
        'slow_start.duration_seconds': z.optional(z.literal('0')),
      }),
    ),
    [],
  ),
});

export const listener = z.strictObject({
  LoadBalancerArn: z.string(),
  Port: number,
  Protocol: z.literal('HTTP'),
  Tags: ignored,
  DefaultActions: z.tuple([z.strictObject({ Type: z.literal('forward'), TargetGroupArn: z.string() })]),
});

export interface LoadBalancers {
  /** Load balancers by ARN. */
  readonly loadBalancers: Map<string, LoadBalancer>;
  /** Target groups by ARN. */
  readonly targetGroups: Map<string, TargetGroup>;
}

export const noLoadBalancers = (): LoadBalancers => ({ loadBalancers: new Map(), targetGroups: new Map() });
