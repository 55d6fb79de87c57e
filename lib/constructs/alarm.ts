/** Alarms on values that are too high. */
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { alarmText, type RunbookEntry } from './runbook.ts';

export interface AlarmAbove {
  readonly metric: IMetric;
  /** The alarm goes off above this value. */
  readonly above: number;
  /** What the alarm means, as a sentence. */
  readonly text: string;
  readonly entry: RunbookEntry;
  /**
   * Number of consecutive periods that must be above.
   * @default 1
   */
  readonly periods?: number;
}

/** Creates an alarm on a metric that is published only if there are news: missing data is no reason to go off. */
export function alarmAbove(
  scope: Construct,
  id: string,
  { metric, above, text, entry, periods = 1 }: AlarmAbove,
): void {
  new Alarm(scope, id, {
    alarmDescription: alarmText(text, entry),
    metric,
    threshold: above,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: periods,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}
