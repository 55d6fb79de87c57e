/** The setting `concurrentExecutions`: the quota of Lambda in the account, which an alarm watches. */
import type { IConstruct } from 'constructs';
import { rangeOf, type Setting } from './field-text.ts';
import { wholeNumberOf } from './settings.ts';

const SETTING = 'concurrentExecutions';
const bounds = { min: 10, max: 1_000_000 } as const;
/** The quota of most accounts. */
const DEFAULT = 1_000;

/**
 * Returns the number of executions of functions that the account permits at the same time.
 * @throws InvalidSetting
 */
export function concurrentExecutionsOf(scope: IConstruct): number {
  const value: unknown = scope.node.tryGetContext(SETTING);
  return value === undefined || value === '' ? DEFAULT : wholeNumberOf(SETTING, value, bounds);
}

export const concurrentExecutionsSetting: Setting = {
  read: concurrentExecutionsOf,
  text: {
    description: 'Quota of concurrent executions of Lambda in the account; an alarm goes off at 80 % of it.',
    type: 'whole number',
    default: DEFAULT,
    allowed: rangeOf(bounds),
    guide: 'monitor',
  },
};
