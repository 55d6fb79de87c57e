/** The rules of ECS about services behind a load balancer: rows of the table in `rules.ts`. */
import type { Rule } from './rule.ts';

const FILE = 'service-traffic.test.ts';

export const loadBalancerRules = {
  registered: {
    rule: 'A task is registered with the target groups of its service when it runs and its health checks pass.',
    source:
      'Use load balancing to distribute Amazon ECS service traffic (Developer Guide). The service ' +
      'registers running tasks. It does not document that container health checks must pass first',
    test: [FILE, 'registers a task when it runs and its own health check has passed'],
  },
  healthyTargets: {
    rule: 'A task with targets counts as healthy for its deployment when all its targets are healthy.',
    source: 'DeploymentConfiguration minimumHealthyPercent (Amazon ECS API Reference)',
    test: [FILE, 'stops the old task of a deployment only when the target of the new one is healthy'],
  },
  drained: {
    rule:
      'A task that is stopped is DEACTIVATING first: its targets are deregistered, and SIGTERM follows when requests ' +
      'have ended or the deregistration delay has passed. A task that exits or is interrupted drains nothing.',
    source:
      'Optimize load balancer connection draining parameters for Amazon ECS, and Amazon ECS task lifecycle (Developer ' +
      'Guide): ECS waits until the target is unused. Edit target group attributes (Application Load Balancers): a ' +
      'target without requests is unused immediately',
    test: [FILE, 'sends SIGTERM to a draining task when its requests have ended'],
  },
  drainLimit: {
    rule: 'SIGTERM is sent after the deregistration delay, even if requests are still in progress.',
    source: 'Edit target group attributes: deregistration delay (Application Load Balancers)',
    test: [FILE, 'sends SIGTERM to a draining task after the deregistration delay'],
  },
  unhealthyTarget: {
    rule: 'A task with an unhealthy target is stopped and replaced, after the grace period of its service.',
    value: { stopCode: 'ServiceSchedulerInitiated', stoppedReason: 'Task failed ELB health checks' },
    source:
      'Amazon ECS stopped tasks error messages, and CreateService healthCheckGracePeriodSeconds (API Reference). The ' +
      'message of ECS names the target group as well',
    test: [FILE, 'replaces a task whose target has become unhealthy'],
  },
} as const satisfies Readonly<Record<string, Rule>>;
