import { type EventPattern, Match, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type { ClusterNames } from '../capacity/cluster-names.ts';
import { ServiceFunction } from '../constructs/function.ts';
import type { EndpointsTable, WorkersTable } from '../endpoints/tables.ts';
import type { HistoryTable } from '../history/table.ts';
import { letSendMessages } from '../jobs/queue-senders.ts';
import type { JobsTable } from '../jobs/tables.ts';
import type { ReleaseAccess } from '../releases/access.ts';

export interface FleetEventsProps {
  readonly clusters: ClusterNames;
  /** Prefix of the names of the Auto Scaling groups that start instances for workers. */
  readonly instanceGroups: string;
  readonly jobs: JobsTable;
  readonly history: HistoryTable;
  readonly endpoints: EndpointsTable;
  readonly workers: WorkersTable;
  readonly access: ReleaseAccess;
}

const onlyBeforeSweeper = {
  sometimes: 'only if this function continues or ends a release before the sweeper does.',
};

/** Service actions that report why workers do not start. */
const ACTIONS = ['SERVICE_TASK_PLACEMENT_FAILURE', 'SERVICE_TASK_CONFIGURATION_FAILURE', 'SERVICE_TASK_START_IMPAIRED'];
const DEPLOYMENTS = ['SERVICE_DEPLOYMENT_IN_PROGRESS', 'SERVICE_DEPLOYMENT_COMPLETED', 'SERVICE_DEPLOYMENT_FAILED'];

/**
 * Receives events about workers: reasons why they do not start, stopped workers, whose jobs are requeued immediately,
 * the progress of releases, and the times of starts.
 */
export class FleetEvents extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { clusters, instanceGroups, jobs, history, endpoints, workers, access }: FleetEventsProps,
  ) {
    super(scope, id);
    const observe = new ServiceFunction(this, 'Observe', {
      entry: 'lambda/fleet/observe.ts',
      description:
        'Changes of tasks, services and deployments: finds why workers do not start, and rescues jobs of stopped workers.',
      reserving: 'observer',
    });
    endpoints.grantRead(
      observe,
      'Reads the endpoint that the name of the service contains, and the generation that a requeued job joins.',
    );
    endpoints.grantList(observe, {
      reason: 'Lists the endpoints, to find the endpoint of a service whose name does not contain it.',
      sometimes:
        'only for the service of the ingress. CloudFormation names all other services after the stack of their endpoint.',
    });
    endpoints.grantUpdate(
      observe,
      'Stores why workers do not start, the progress of a release, the concurrency that workers ask for, and how many workers are requested.',
    );
    const readsLease = 'Reads which jobs the worker held and whether it was ready, and removes its lease.';
    workers.grantSweep(observe, {
      GetItem: `${readsLease} Also reads the start of the worker.`,
      DeleteItem: readsLease,
      Query:
        'Finds workers that are ready or hold jobs, to follow a release, to delay its deployment, and to set the number of workers.',
    });
    workers.grantSaveStarts(
      observe,
      'Stores when a worker was requested, its image was pulled and it ran, and when an instance was launched and registered.',
    );
    history.grantFollowWorkers(observe);
    jobs.grantTransition(
      observe,
      'Requeues the jobs of lost workers, and ends those that have no attempts left or are overdue.',
    );
    access.grantFollow(observe, {
      passing: {
        sometimes:
          "only if this function deploys a revision: to continue or repeat a release, or to roll it back before ECS's circuit breaker does. The circuit breaker does not count workers that run and exit before they request a job.",
      },
      retiring: onlyBeforeSweeper,
      deregistering: onlyBeforeSweeper,
      listing: onlyBeforeSweeper,
    });
    access.grantRunTime(observe);
    letSendMessages(observe, 'Sends the message of a requeued job; the queues of every endpoint allow it.');

    const [inCluster, ofService] = [clusters.matchIn(this, 'cluster'), clusters.matchIn(this, 'service')];
    const subscribe = (name: string, description: string, pattern: EventPattern) =>
      new Rule(this, name, {
        description,
        eventPattern: { source: ['aws.ecs'], ...pattern },
        targets: [new LambdaFunction(observe)],
      });
    subscribe('TaskChanged', 'Notifies gpu-endpoints when a worker starts or stops.', {
      detailType: ['ECS Task State Change'],
      // A task that is being provisioned has no instance yet, and might never get one.
      detail: { clusterArn: inCluster, lastStatus: Match.anythingBut('PROVISIONING') },
    });
    subscribe('ServiceActed', 'Notifies gpu-endpoints when workers cannot be started.', {
      detailType: ['ECS Service Action'],
      resources: ofService,
      detail: { eventName: ACTIONS },
    });
    subscribe(
      'DeploymentChanged',
      'Notifies gpu-endpoints when a deployment of a service starts, completes or fails.',
      {
        detailType: ['ECS Deployment State Change'],
        resources: ofService,
        detail: { eventName: DEPLOYMENTS },
      },
    );
    // Further events report the tasks of the instance, so only events without tasks are selected.
    subscribe('InstanceRegistered', 'Notifies gpu-endpoints when an instance can run workers.', {
      detailType: ['ECS Container Instance State Change'],
      detail: {
        clusterArn: inCluster,
        status: ['ACTIVE'],
        pendingTasksCount: [0],
        runningTasksCount: [0],
      },
    });
    subscribe('InstanceLaunched', 'Notifies gpu-endpoints when an instance for workers has been launched.', {
      source: ['aws.autoscaling'],
      detailType: ['EC2 Instance Launch Successful'],
      detail: { AutoScalingGroupName: Match.prefix(instanceGroups) },
    });
  }
}
