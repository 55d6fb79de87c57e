/** Evaluates the state of an alarm as CloudWatch does: M out of N data points, and missing data. */
import { type AlarmProperties, comparisons } from './definition.ts';
import { MINUTE } from './metrics.ts';

export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

/** The properties of an alarm that its evaluation depends on. */
export type Rule = Pick<
  AlarmProperties,
  'EvaluationPeriods' | 'DatapointsToAlarm' | 'Threshold' | 'ComparisonOperator' | 'TreatMissingData'
>;

export interface DataPoint {
  /** Begin of its period, in milliseconds since 1970. */
  readonly at: number;
  readonly value: number | undefined;
}

export interface Outcome {
  readonly state: AlarmState;
  readonly reason: string;
}

/** The data points that CloudWatch reads in addition if the newest ones are missing, at a period of a minute. */
const MORE_POINTS = 2;

/** Returns the number of periods that an evaluation reads. The length of longer periods replaces additional ones. */
export const evaluationRange = ({ EvaluationPeriods }: Rule, period: number): number =>
  EvaluationPeriods + (period === MINUTE ? MORE_POINTS : 0);

const plural = (count: number, noun = 'datapoint') => `${count} ${noun}${count === 1 ? '' : 's'}`;
const decimal = (value: number) => (Number.isInteger(value) ? `${value}.0` : String(value));
const two = (value: number) => String(value).padStart(2, '0');

/** Formats a time as in the reasons of CloudWatch, such as `29/11/26 23:05:00`. */
function timeText(at: number): string {
  const time = new Date(at);
  const day = [time.getUTCDate(), time.getUTCMonth() + 1, time.getUTCFullYear() % 100].map(two).join('/');
  return `${day} ${[time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()].map(two).join(':')}`;
}

const TREATED: Readonly<Partial<Record<Rule['TreatMissingData'], string>>> = {
  breaching: 'Breaching',
  notBreaching: 'NonBreaching',
};

/**
 * Evaluates an alarm.
 * @param points data points of the range, the newest first
 * @returns the new state, or undefined if the alarm keeps its state
 */
export function evaluateAlarm(rule: Rule, points: readonly DataPoint[]): Outcome | undefined {
  const { EvaluationPeriods: periods, DatapointsToAlarm: toAlarm = periods, Threshold, TreatMissingData } = rule;
  const { text: comparison, breaches } = comparisons[rule.ComparisonOperator];
  const isBreaching = ({ value }: DataPoint) => value !== undefined && breaches(value, Threshold);
  // Real data points are used before missing ones, even if they are older.
  const existing = points.filter(({ value }) => value !== undefined).slice(0, periods);
  const breaching = existing.filter(isBreaching);
  const missing = periods - existing.length;

  function outcome(state: 'OK' | 'ALARM'): Outcome {
    const treated = TREATED[TreatMissingData];
    if (existing.length === 0)
      return {
        state,
        reason: `Threshold Crossed: no datapoints were received for ${plural(missing, 'period')} and ${plural(missing, 'missing datapoint')} ${missing === 1 ? 'was' : 'were'} treated as [${treated}].`,
      };
    const relevant = state === 'ALARM' ? breaching : existing.filter((point) => !isBreaching(point));
    const values = relevant.map(({ at, value }) => `${decimal(value ?? 0)} (${timeText(at)})`).join(', ');
    const minimum = state === 'ALARM' ? toAlarm : periods - toAlarm + 1;
    const change = state === 'ALARM' ? 'OK -> ALARM' : 'ALARM -> OK';
    const verb = `${relevant.length === 1 ? 'was' : 'were'}${state === 'ALARM' ? '' : ' not'}`;
    return {
      state,
      reason:
        `Threshold Crossed: ${relevant.length} out of the last ${periods} datapoints [${values}] ${verb} ${comparison} ` +
        `the threshold (${decimal(Threshold)}) (minimum ${plural(minimum)} for ${change} transition).`,
    };
  }

  const counted = breaching.length + (TreatMissingData === 'breaching' ? missing : 0);
  if (counted >= toAlarm) return outcome('ALARM');
  if (missing === 0 || TreatMissingData === 'breaching' || TreatMissingData === 'notBreaching') return outcome('OK');
  if (existing.length > breaching.length) return outcome('OK');
  if (TreatMissingData === 'ignore') return undefined;
  if (existing.length === 0)
    return {
      state: 'INSUFFICIENT_DATA',
      reason: `Insufficient Data: ${plural(missing)} ${missing === 1 ? 'was' : 'were'} unknown.`,
    };
  // Later data points that are missing count as breaching once as many periods have passed as the alarm needs.
  const oldest = points.findLastIndex(isBreaching) + 1;
  return oldest >= toAlarm ? outcome('ALARM') : undefined;
}
