/** The setting `historyDays`: the retention of the history of jobs. */
import type { IConstruct } from 'constructs';
import { historyDays } from '../../core/history/limits.ts';
import type { Setting } from '../settings/field-text.ts';
import { InvalidSetting } from '../settings/settings.ts';

const SETTING = 'historyDays';

const { min, max, default: usual } = historyDays;

/**
 * Returns the retention of the history in days; 0 if the deployment keeps none.
 * @throws InvalidSetting
 */
export function historyDaysOf(scope: IConstruct): number {
  const value: unknown = scope.node.tryGetContext(SETTING);
  if (value === undefined || value === '') return usual;
  // Values from the command line are strings.
  const days = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value;
  if (typeof days === 'number' && Number.isInteger(days) && days >= min && days <= max) return days;
  throw new InvalidSetting(
    `The context \`${SETTING}\` must be a whole number from ${min} to ${max}, got ${JSON.stringify(value)}.`,
  );
}

export const historyDaysSetting: Setting = {
  read: historyDaysOf,
  text: {
    description: 'Retention of the history of ended jobs, in days. 0 keeps no history.',
    type: 'whole number',
    default: usual,
    allowed: `${min} to ${max}`,
    guide: 'history',
  },
};
