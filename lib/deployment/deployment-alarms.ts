import { Duration } from 'aws-cdk-lib';
import { ComparisonOperator, MathExpression, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct, type IDependable } from 'constructs';
import { OPEN_CALLS_METRIC, OPEN_CALLS_PERIOD } from '../../core/http/ingress.ts';
import { MINUTE, SWEEP } from '../../core/limits.ts';
import { alarmAbove } from '../constructs/alarm.ts';
import { SERVICE } from '../constructs/function.ts';
import { alarmText } from '../constructs/runbook.ts';
import { concurrentExecutionsOf } from '../settings/concurrent-executions.ts';
import { functionMetrics } from '../settings/settings.ts';
import type { Sweeper } from '../sweeper/sweeper.ts';

/** Part of a limit at which an alarm goes off. */
const NEAR = 0.8;

export interface DeploymentAlarmsProps {
  readonly sweeper: Sweeper;
  readonly ledger: IFunction;
  /** The function that launches instances of pools. */
  readonly launcher: IFunction;
  /** Names of the interfaces in API Gateway. */
  readonly apis: readonly string[];
  /**
   * Number of calls that can wait in the ingress at the same time.
   * @default - no ingress
   */
  readonly waits: number | undefined;
  /** Takes minutes to create, so that the sweeper has run before an alarm misses it. */
  readonly after: IDependable;
}

/** The alarms of the functions and interfaces that all endpoints share. */
export class DeploymentAlarms extends Construct {
  constructor(scope: Construct, id: string, props: DeploymentAlarmsProps) {
    super(scope, id);
    const { sweeper, ledger, launcher, apis, waits, after } = props;
    const minutes = (count: number) => Duration.minutes(count);
    const ofLambda = (metricName: string, statistic: string, period: Duration) =>
      new Metric({ namespace: 'AWS/Lambda', metricName, statistic, period });

    const sweeps = sweeper.sweep.metricInvocations({ period: Duration.millis(SWEEP) });
    const silent = sweeps.createAlarm(this, 'SweeperSilent', {
      alarmDescription: alarmText('The sweeper has not run for 3 minutes, so nothing is repaired.', 'sweeper'),
      threshold: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: 3,
      // A function that is not called has no data points.
      treatMissingData: TreatMissingData.BREACHING,
    });
    silent.node.addDependency(sweeper, after);

    alarmAbove(this, 'LedgerBehind', {
      text: 'The ledger is more than a minute behind the changes of jobs, so counts are late and workers start late.',
      entry: 'ledger',
      metric: ledger.metric('IteratorAge', { statistic: Stats.MAXIMUM, period: minutes(1) }),
      above: MINUTE,
      periods: 3,
    });
    alarmAbove(this, 'LaunchesFailing', {
      text: 'Instances of a pool can repeatedly not be launched or ended.',
      entry: 'launches',
      metric: launcher.metricErrors({ period: minutes(15) }),
      above: 3,
    });
    alarmAbove(this, 'ApiFailing', {
      text: 'More than 5 requests within 5 minutes got an answer with a status of 500 or more.',
      entry: 'api',
      metric: new MathExpression({
        label: 'Answers with 5xx',
        expression: apis.map((_, n) => `FILL(api${n}, 0)`).join(' + '),
        usingMetrics: Object.fromEntries(
          apis.map((ApiName, n) => [
            `api${n}`,
            new Metric({
              namespace: 'AWS/ApiGateway',
              metricName: '5XXError',
              dimensionsMap: { ApiName },
              statistic: Stats.SUM,
              period: minutes(5),
            }),
          ]),
        ),
        period: minutes(5),
      }),
      above: 5,
    });
    alarmAbove(this, 'FunctionsThrottled', {
      text: 'Lambda refuses calls of functions of this account, because too many run at the same time.',
      entry: 'concurrency',
      metric: ofLambda('Throttles', Stats.SUM, minutes(5)),
      above: 10,
    });
    const executions = concurrentExecutionsOf(this);
    alarmAbove(this, 'ConcurrencyHigh', {
      text: `More than 80 % of the ${executions} concurrent executions that Lambda permits are in use.`,
      entry: 'concurrency',
      metric: ofLambda('ConcurrentExecutions', Stats.MAXIMUM, minutes(1)),
      above: NEAR * executions,
      periods: 3,
    });
    if (waits !== undefined)
      alarmAbove(this, 'WaitsHigh', {
        text: `The ingress has more than 80 % of the ${waits} calls that can wait at the same time.`,
        entry: 'waits',
        // Each task publishes some counts a minute. Their sum is that of all tasks, times the counts of one task.
        metric: new Metric({
          namespace: functionMetrics(this),
          metricName: OPEN_CALLS_METRIC,
          dimensionsMap: { service: SERVICE },
          statistic: Stats.SUM,
          period: minutes(1),
        }),
        above: NEAR * waits * (MINUTE / OPEN_CALLS_PERIOD),
        periods: 3,
      });
  }
}
