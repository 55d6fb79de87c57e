import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { expiryTimer, SWEEP } from '../../core/limits.ts';
import { ServiceFunction } from '../constructs/function.ts';
import { endpointMetricsOf } from '../endpoints/metrics-setting.ts';
import type { EndpointsTable, WorkersTable } from '../endpoints/tables.ts';
import type { HistoryTable } from '../history/table.ts';
import { letSendMessages } from '../jobs/queue-senders.ts';
import type { ArrivalsTable, DeadlinesTable, JobsTable } from '../jobs/tables.ts';
import type { KeysTable } from '../keys/keys-table.ts';
import type { ReleaseAccess } from '../releases/access.ts';
import { letSendTelemetry } from '../telemetry/telemetry.ts';
import type { ReleasesTable } from '../templates/tables.ts';
import type { DeliveriesTable } from '../webhooks/tables.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { grantSendEvents } from './event-bus.ts';
import { ExpiryMachine } from './expiry-machine.ts';

export interface SweeperProps {
  readonly jobs: JobsTable;
  readonly deadlines: DeadlinesTable;
  readonly arrivals: ArrivalsTable;
  readonly history: HistoryTable;
  readonly keys: KeysTable;
  readonly releases: ReleasesTable;
  readonly endpoints: EndpointsTable;
  readonly workers: WorkersTable;
  readonly access: ReleaseAccess;
  readonly deliveries: DeliveriesTable;
  readonly webhooks: Webhooks;
  /**
   * Address that API Gateway sends through the VPC link, which the sweeper keeps active.
   * @default - no ingress
   */
  readonly linkUrl: string | undefined;
}

const onlyFirst = {
  sometimes: 'only if the sweeper begins, continues or ends a release before another function does.',
};

/** Repairs the results of crashes every minute: lost workers, overdue jobs and deliveries, and wrong counters. */
export class Sweeper extends Construct {
  readonly sweep: ServiceFunction;
  /** The timers that end waiting jobs between two sweeps. */
  readonly timers: ExpiryMachine;

  constructor(scope: Construct, id: string, props: SweeperProps) {
    super(scope, id);
    const {
      jobs,
      deadlines,
      deliveries,
      history,
      keys,
      releases,
      arrivals,
      endpoints,
      workers,
      access,
      webhooks,
      linkUrl,
    } = props;
    this.sweep = new ServiceFunction(this, 'Sweep', {
      entry: 'lambda/sweeper/sweep.ts',
      description: 'Every minute: lost workers, deadlines, deliveries, counters, releases, number of workers.',
      timeout: Duration.minutes(5),
      reserving: 'sweeper',
    });
    const { sweep } = this;
    sweep.addEnvironment('ENDPOINT_METRICS', endpointMetricsOf(this));
    if (linkUrl !== undefined) sweep.addEnvironment('LINK_URL', linkUrl);
    endpoints.grantList(sweep, 'Lists the endpoints, which are swept one by one.');
    endpoints.grantRead(sweep, 'Reads the endpoint.');
    endpoints.grantUpdate(
      sweep,
      'Writes the counters and the release of the endpoint, the state and number of its workers, and what was spent.',
    );
    workers.grantSweep(sweep, {
      Query: 'Finds leases that have ended, and workers that are ready or hold jobs.',
      GetItem: 'Reads each ended lease again, because the list can be out of date.',
      DeleteItem: 'Removes leases that have ended.',
    });
    deadlines.grantSweep(sweep);
    history.grantSum(sweep);
    keys.grantList(sweep, 'Reads the budgets of the keys.');
    letSendTelemetry(sweep, { workers, history });
    if (grantSendEvents(sweep)) releases.grantList(sweep);
    arrivals.grantCount(sweep, 'Reads for how long the oldest job of an endpoint has waited.');
    jobs.grantReadBatch(sweep, 'Reads the jobs that workers run, to sum their time.');
    history.grantAdd(sweep, 'Stores conditions of endpoints, and changes of the number of workers.');
    deliveries.grantSweep(sweep);
    webhooks.machine.grantRestart(sweep, 'Starts a delivery that is overdue.');
    webhooks.alarm.countsIn(sweep);
    jobs.grantTransition(
      sweep,
      'Requeues the jobs of lost workers, and ends those that have no attempts left or are overdue.',
    );
    jobs.grantList(sweep, {
      reason: 'Counts the jobs of an endpoint once a day, to reconcile the counters.',
      sometimes: 'only if a day has passed since the last count, and the counters have not changed for five minutes.',
    });
    access.grantRelease(sweep, {
      registering: onlyFirst,
      secrets: onlyFirst,
      passing: onlyFirst,
      history: onlyFirst,
      retiring: onlyFirst,
      deregistering: onlyFirst,
      listing: onlyFirst,
    });
    letSendMessages(sweep, 'Sends the message of a requeued job; the queues of every endpoint allow it.');

    const expire = new ServiceFunction(this, 'Expire', {
      entry: 'lambda/sweeper/expire.ts',
      description: 'Called by a timer: ends jobs whose ttl has passed.',
      timeout: Duration.millis(expiryTimer.maxTime),
    });
    endpoints.grantRead(expire, 'Reads the generation of the endpoint: jobs of older generations were purged.');
    jobs.grantTransition(expire, 'Reads the jobs of the timer and ends the jobs that still wait.');
    this.timers = new ExpiryMachine(this, 'Expiry', expire);
    this.timers.grantStart(sweep);

    new Rule(this, 'EveryMinute', {
      description: 'Calls the sweeper of gpu-endpoints.',
      schedule: Schedule.rate(Duration.millis(SWEEP)),
      targets: [new LambdaFunction(sweep)],
    });
  }
}
