/** The alarms of CloudWatch on this machine, and their states. */
import { arn } from '../account.ts';
import type { AlarmProperties } from './definition.ts';
import { type AlarmState, evaluateAlarm, evaluationRange } from './evaluation.ts';
import { MINUTE } from './metrics.ts';
import type { CompiledQueries } from './queries.ts';

export interface AlarmDefinition {
  readonly name: string;
  readonly properties: AlarmProperties;
  readonly queries: CompiledQueries;
  /** Id of the query whose values are compared with the threshold. */
  readonly compared: string;
}

export interface Alarm {
  readonly definition: AlarmDefinition;
  readonly arn: string;
  /** Times are milliseconds since 1970. */
  readonly createdAt: number;
  readonly state: AlarmState;
  readonly reason: string;
  readonly changedAt: number;
}

export interface Alarms {
  /**
   * Creates an alarm.
   * @returns its ARN
   */
  declare(definition: AlarmDefinition): string;
  /** Returns the alarms in the order of their names. */
  list(): readonly Alarm[];
  /**
   * Evaluates all alarms.
   * @param since begin of the measurements: earlier data is unknown, and does not count as breaching
   */
  evaluate(since: number): void;
}

/**
 * Creates an empty set of alarms.
 * @param notify prints a message when an alarm goes off and when it is over, which in AWS are its actions
 * @param now milliseconds since 1970
 */
export function createAlarms(notify: (text: string) => void = () => undefined, now: () => number = Date.now): Alarms {
  const alarms = new Map<string, Alarm>();

  function announce({ definition: { name, properties }, state, reason }: Alarm, before: AlarmState): void {
    const text = properties.AlarmDescription === undefined ? '' : ` ${properties.AlarmDescription}`;
    if (state === 'ALARM') notify(`Alarm ${name} goes off:${text} (${reason})`);
    else if (before === 'ALARM') notify(`Alarm ${name} is over:${text} (${reason})`);
  }

  function evaluate(alarm: Alarm, since: number): void {
    const { definition, state: before } = alarm;
    const { properties, queries, compared } = definition;
    const { EvaluationPeriods, TreatMissingData } = properties;
    const end = now() - (now() % MINUTE);
    const points = Array.from({ length: evaluationRange(properties, queries.period) }, (_, n) => {
      const at = end - (n + 1) * queries.period;
      return { at, value: queries.read(compared, at) };
    });
    const isUnknown = TreatMissingData === 'breaching' && end - EvaluationPeriods * queries.period < since;
    const outcome = evaluateAlarm(isUnknown ? { ...properties, TreatMissingData: 'ignore' } : properties, points);
    if (!outcome || outcome.state === before) return;
    const changed = { ...alarm, ...outcome, changedAt: now() };
    alarms.set(definition.name, changed);
    announce(changed, before);
  }

  return {
    declare(definition) {
      const itsArn = arn('cloudwatch', `alarm:${definition.name}`);
      const time = now();
      const unchecked = { state: 'INSUFFICIENT_DATA', reason: 'Unchecked: Initial alarm creation' } as const;
      alarms.set(definition.name, { definition, arn: itsArn, createdAt: time, ...unchecked, changedAt: time });
      return itsArn;
    },
    list: () => [...alarms.values()].sort((one, other) => (one.definition.name < other.definition.name ? -1 : 1)),
    evaluate(since) {
      for (const alarm of alarms.values()) evaluate(alarm, since);
    },
  };
}
