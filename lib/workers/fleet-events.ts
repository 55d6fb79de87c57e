import { Stack } from 'aws-cdk-lib';
import { type EventPattern, Match, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { ServiceFunction } from '../constructs/function.ts';
import type { EndpointsTable, WorkersTable } from '../endpoints/tables.ts';
import { letSendMessages } from '../jobs/queue-senders.ts';
import type { JobsTable } from '../jobs/tables.ts';
import { instead, type ReleaseAccess } from '../releases/access.ts';

export interface FleetEventsProps {
  /** What the name of the cluster begins with. */
  readonly clusters: string;
  /** What the names of the Auto Scaling groups begin with that start instances for workers. */
  readonly instanceGroups: string;
  readonly jobs: JobsTable;
  readonly endpoints: EndpointsTable;
  readonly workers: WorkersTable;
  readonly access: ReleaseAccess;
}

/** Service actions that say why workers do not come. */
const ACTIONS = ['SERVICE_TASK_PLACEMENT_FAILURE', 'SERVICE_TASK_CONFIGURATION_FAILURE', 'SERVICE_TASK_START_IMPAIRED'];
const DEPLOYMENTS = ['SERVICE_DEPLOYMENT_IN_PROGRESS', 'SERVICE_DEPLOYMENT_COMPLETED', 'SERVICE_DEPLOYMENT_FAILED'];

/** Hears what becomes of workers: why they do not come, and that they have stopped, to bring back at once what they held; and how far releases are. */
export class FleetEvents extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { clusters, instanceGroups, jobs, endpoints, workers, access }: FleetEventsProps,
  ) {
    super(scope, id);
    const observe = new ServiceFunction(this, 'Observe', {
      entry: 'lambda/fleet/observe.ts',
      description: 'Changes of tasks, services and deployments: why workers do not come, and jobs of those that stop.',
      reserving: 'observer',
    });
    endpoints.grantList(observe, 'Lists the endpoints, to find that of a service.');
    endpoints.grantRead(observe, 'Reads the generation that a job joins when it is requeued.');
    endpoints.grantUpdate(observe, 'Stores why workers do not start, and how many are asked for.');
    const readsLease = 'Reads which jobs the worker held and whether it was ready, and removes its lease.';
    workers.grantSweep(observe, {
      GetItem: readsLease,
      DeleteItem: readsLease,
      Query:
        'Counts workers: those that are ready while an endpoint backs off, and those that run when an instance cannot start.',
    });
    jobs.grantMove(observe, 'Requeues the jobs of lost workers, and ends those that are over.');
    access.grantFollow(observe, {
      passing: {
        seldom:
          "ECS's circuit breaker has to be slower: it does not see workers that run and end before they ask for a job.",
      },
      history: instead,
      withdrawing: instead,
    });
    access.grantRunTime(observe);
    letSendMessages(observe, 'Sends the message of a job that is requeued; the queues of every endpoint allow it.');

    const prefixOf = (resource: string) =>
      Match.prefix(Stack.of(this).formatArn({ service: 'ecs', resource, resourceName: clusters }));
    const hear = (name: string, description: string, pattern: EventPattern) =>
      new Rule(this, name, {
        description,
        eventPattern: { source: ['aws.ecs'], ...pattern },
        targets: [new LambdaFunction(observe)],
      });
    hear('TaskChanged', 'Tells gpu-endpoints that a worker starts or stops.', {
      detailType: ['ECS Task State Change'],
      // One that is being provisioned has no place yet, and may never have.
      detail: { clusterArn: prefixOf('cluster'), lastStatus: Match.anythingBut('PROVISIONING') },
    });
    hear('ServiceActed', 'Tells gpu-endpoints that workers cannot be started.', {
      detailType: ['ECS Service Action'],
      resources: prefixOf('service'),
      detail: { eventName: ACTIONS },
    });
    hear('DeploymentChanged', 'Tells gpu-endpoints that something else is to run, or that it does not.', {
      detailType: ['ECS Deployment State Change'],
      resources: prefixOf('service'),
      detail: { eventName: DEPLOYMENTS },
    });
    // ECS only knows that it has no instance. Why there is none is told to the group that was to start it.
    hear('LaunchFailed', 'Tells gpu-endpoints that an instance for workers cannot be started.', {
      source: ['aws.autoscaling'],
      detailType: ['EC2 Instance Launch Unsuccessful'],
      detail: { AutoScalingGroupName: Match.prefix(instanceGroups) },
    });
  }
}
