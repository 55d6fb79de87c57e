import type { ICluster } from 'aws-cdk-lib/aws-ecs';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { EndpointsTable, WorkersTable } from './endpoint-tables.ts';
import { ServiceFunction } from './function.ts';
import type { JobsTable } from './job-tables.ts';

export interface FleetEventsProps {
  readonly cluster: ICluster;
  readonly jobs: JobsTable;
  readonly endpoints: EndpointsTable;
  readonly workers: WorkersTable;
}

/** Hears of tasks that have stopped, and brings back at once what they held. */
export class FleetEvents extends Construct {
  /** Who hints workers at the jobs that come back. */
  readonly hinter: IRole;

  constructor(scope: Construct, id: string, { cluster, jobs, endpoints, workers }: FleetEventsProps) {
    super(scope, id);
    const stopped = new ServiceFunction(this, 'Stopped', {
      entry: 'lambda/fleet/stopped.ts',
      description: 'ECS task stopped: brings back the jobs that it held.',
    });
    endpoints.grantList(stopped);
    endpoints.grantRead(stopped);
    endpoints.grantNote(stopped);
    workers.grantForget(stopped);
    jobs.grantMove(stopped);

    new Rule(this, 'TaskStopped', {
      description: 'Tells gpu-endpoints that a worker has stopped.',
      eventPattern: {
        source: ['aws.ecs'],
        detailType: ['ECS Task State Change'],
        detail: { clusterArn: [cluster.clusterArn], lastStatus: ['STOPPED'] },
      },
      targets: [new LambdaFunction(stopped)],
    });
    this.hinter = stopped.identity;
  }
}
