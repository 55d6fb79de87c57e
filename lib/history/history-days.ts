/** The setting `historyDays`: the retention of the history of jobs. */
import type { IConstruct } from 'constructs';
import { historyDays } from '../../core/history/limits.ts';
import { rangeOf, type Setting } from '../settings/field-text.ts';
import { wholeNumberOf } from '../settings/settings.ts';

const SETTING = 'historyDays';

/**
 * Returns the retention of the history in days; 0 if the deployment keeps none.
 * @throws InvalidSetting
 */
export function historyDaysOf(scope: IConstruct): number {
  const value: unknown = scope.node.tryGetContext(SETTING);
  return value === undefined || value === '' ? historyDays.default : wholeNumberOf(SETTING, value, historyDays);
}

export const historyDaysSetting: Setting = {
  read: historyDaysOf,
  text: {
    description: 'Retention of the history of ended jobs, in days. 0 keeps no history.',
    type: 'whole number',
    default: historyDays.default,
    allowed: rangeOf(historyDays),
    guide: 'history',
  },
};
