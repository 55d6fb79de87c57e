import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { expiryTimer, SWEEP } from '../../core/limits.ts';
import { ServiceFunction } from '../constructs/function.ts';
import type { EndpointsTable, WorkersTable } from '../endpoints/tables.ts';
import { letSendMessages } from '../jobs/queue-senders.ts';
import type { DeadlinesTable, JobsTable } from '../jobs/tables.ts';
import type { ReleaseAccess } from '../releases/access.ts';
import type { DeliveriesTable } from '../webhooks/tables.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { ExpiryMachine } from './expiry-machine.ts';

export interface SweeperProps {
  readonly jobs: JobsTable;
  readonly deadlines: DeadlinesTable;
  readonly endpoints: EndpointsTable;
  readonly workers: WorkersTable;
  readonly access: ReleaseAccess;
  readonly deliveries: DeliveriesTable;
  readonly webhooks: Webhooks;
}

/** Looks every minute after what nobody else has noticed: lost workers, deadlines, deliveries, counters. */
export class Sweeper extends Construct {
  readonly sweep: ServiceFunction;
  /** The timers that end waiting jobs between two sweeps. */
  readonly timers: ExpiryMachine;

  constructor(scope: Construct, id: string, props: SweeperProps) {
    super(scope, id);
    const { jobs, deadlines, deliveries, endpoints, workers, access, webhooks } = props;
    this.sweep = new ServiceFunction(this, 'Sweep', {
      entry: 'lambda/sweeper/sweep.ts',
      description: 'Every minute: lost workers, deadlines, deliveries, counters, releases, number of workers.',
      timeout: Duration.minutes(5),
      reserving: 'sweeper',
    });
    const { sweep } = this;
    endpoints.grantList(sweep);
    endpoints.grantRead(sweep);
    endpoints.grantNote(sweep);
    workers.grantSweep(sweep);
    deadlines.grantSweep(sweep);
    deliveries.grantSweep(sweep);
    webhooks.machine.grantRestart(sweep);
    webhooks.alarm.countsIn(sweep);
    jobs.grantMove(sweep);
    jobs.grantList(sweep);
    access.grantRelease(sweep);
    letSendMessages(sweep);

    const expire = new ServiceFunction(this, 'Expire', {
      entry: 'lambda/sweeper/expire.ts',
      description: 'Called by a timer: ends jobs whose ttl has run out.',
      timeout: Duration.millis(expiryTimer.longest),
    });
    endpoints.grantRead(expire);
    jobs.grantMove(expire);
    this.timers = new ExpiryMachine(this, 'Expiry', expire);
    this.timers.grantStart(sweep);

    new Rule(this, 'EveryMinute', {
      description: 'Calls the sweeper of gpu-endpoints.',
      schedule: Schedule.rate(Duration.millis(SWEEP)),
      targets: [new LambdaFunction(sweep)],
    });
  }
}
