/**
 * The field `alarms` of an endpoint's file, and the setting `endpointAlarms` with its defaults. Messages complete the
 * sentence "`alarms.field` …".
 */
import type { IConstruct } from 'constructs';
import * as z from 'zod/mini';
import { DAY, MINUTE } from '../../core/limits.ts';
import { allowedBy, fieldTexts, NOT_ON_COMMAND_LINE, type Setting } from '../settings/field-text.ts';
import { parseSetting } from '../settings/settings.ts';

const SETTING = 'endpointAlarms';

/** Thresholds without a field and a setting. */
export const alarmDefaults = {
  oldestWaiting: 15 * MINUTE,
  failedPercent: 20,
  noWorker: 15 * MINUTE,
  rolledBack: 0,
  webhooksPercent: 0,
  volumePercent: 0,
  budgetPercent: 0,
} as const;

/** Thresholds of the alarms on metrics of the sweeper if it publishes none. */
export const withoutSweeperMetrics = {
  oldestWaiting: 0,
  failedPercent: 0,
  noWorker: 0,
  rolledBack: 0,
  budgetPercent: 0,
} as const satisfies Partial<AlarmThresholds>;

/** The failure rate is that of a period of `within` in which at least `jobs` jobs have ended. */
export const failedJobs = { jobs: 10, within: 15 * MINUTE } as const;

/** An alarm compares so many measurements, one each minute or each longer period. */
export const ALARM_PERIODS = 3;

const mappingMust = `must be a mapping with the keys ${Object.keys(alarmDefaults).join(', ')}`;
const waitMust = `must be 0, or a whole number of milliseconds from ${MINUTE} to ${7 * DAY}`;
const percentMust = 'must be a whole number from 0 to 99';
const releaseMust = `must be 0, or a whole number of milliseconds from ${MINUTE} to ${DAY}`;
const workerMust = `must be 0, or a whole number of milliseconds from ${ALARM_PERIODS * MINUTE} to ${DAY}`;

const zeroOr = (must: string, min: number, max: number) =>
  z.optional(z.int(must).check(z.refine((value) => value === 0 || (value >= min && value <= max), must)));

export const alarmsSchema = z.strictObject(
  {
    oldestWaiting: zeroOr(waitMust, MINUTE, 7 * DAY).register(fieldTexts, {
      description: 'Age of the oldest waiting job above which the alarm goes off; 0 for no alarm.',
      default: alarmDefaults.oldestWaiting,
      allowed: allowedBy(waitMust),
      guide: 'monitor',
    }),
    failedPercent: zeroOr(percentMust, 1, 99).register(fieldTexts, {
      description: 'Percentage of failed jobs above which the alarm goes off; 0 for no alarm.',
      default: alarmDefaults.failedPercent,
      allowed: allowedBy(percentMust),
      guide: 'monitor',
    }),
    noWorker: zeroOr(workerMust, ALARM_PERIODS * MINUTE, DAY).register(fieldTexts, {
      description: 'Time for which workers have been missing when the alarm goes off; 0 for no alarm.',
      default: alarmDefaults.noWorker,
      allowed: allowedBy(workerMust),
      guide: 'monitor',
    }),
    rolledBack: zeroOr(releaseMust, MINUTE, DAY).register(fieldTexts, {
      description: 'Time for which the last release has been rolled back when the alarm goes off; 0 for no alarm.',
      default: alarmDefaults.rolledBack,
      allowed: allowedBy(releaseMust),
      guide: 'monitor',
    }),
    webhooksPercent: zeroOr(percentMust, 1, 99).register(fieldTexts, {
      description: 'Percentage of failed webhooks of the endpoint above which the alarm goes off; 0 for no alarm.',
      default: alarmDefaults.webhooksPercent,
      allowed: allowedBy(percentMust),
      guide: 'monitor',
    }),
    volumePercent: zeroOr(percentMust, 1, 99).register(fieldTexts, {
      description: 'Percentage of `volumeInGb` in use above which the alarm goes off; 0 for no alarm.',
      default: alarmDefaults.volumePercent,
      allowed: allowedBy(percentMust),
      guide: 'monitor',
    }),
    budgetPercent: zeroOr(percentMust, 1, 99).register(fieldTexts, {
      description: 'Percentage of `maxDollarsPerDay` that is spent above which the alarm goes off; 0 for no alarm.',
      default: alarmDefaults.budgetPercent,
      allowed: allowedBy(percentMust),
      condition: 'Only endpoints with `maxDollarsPerDay` have this alarm.',
      guide: 'budgets',
    }),
  },
  mappingMust,
);

export type AlarmFields = z.output<typeof alarmsSchema>;

/** Thresholds of an endpoint; 0 for no alarm. */
export type AlarmThresholds = Readonly<Record<keyof typeof alarmDefaults, number>>;

/**
 * Returns the thresholds of endpoints whose files have none.
 * @throws InvalidSetting
 */
export function alarmThresholdsOf(scope: IConstruct): AlarmThresholds {
  const value: unknown = scope.node.tryGetContext(SETTING);
  return withDefaults(value === undefined ? {} : parseSetting(SETTING, alarmsSchema, value), alarmDefaults);
}

/** Returns the thresholds of a file, and for each omitted field the default. */
export function withDefaults(fields: AlarmFields, defaults: AlarmThresholds): AlarmThresholds {
  const names = Object.keys(alarmDefaults) as (keyof AlarmThresholds)[];
  return Object.fromEntries(names.map((name) => [name, fields[name] ?? defaults[name]])) as AlarmThresholds;
}

export const endpointAlarmsSetting: Setting = {
  read: alarmThresholdsOf,
  text: {
    description: 'Thresholds of the alarms of endpoints whose files do not set them.',
    type: 'mapping',
    without: 'the defaults of its fields',
    allowed: allowedBy(mappingMust),
    condition: NOT_ON_COMMAND_LINE,
    guide: 'monitor',
  },
  fields: [alarmsSchema],
};
