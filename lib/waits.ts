/** How many calls may wait at the same time in the whole deployment: the context `waits`. */
import type { IConstruct } from 'constructs';
import { waitsLimits } from '../core/limits.ts';
import type { ServiceFunction } from './function.ts';
import { InvalidSetting } from './invalid-setting.ts';

const SETTING = 'waits';

/** @throws InvalidSetting */
export function waitsOf(scope: IConstruct): number {
  const { default: otherwise, min, max } = waitsLimits;
  const value: unknown = scope.node.tryGetContext(SETTING) ?? otherwise;
  const waits = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof waits === 'number' && Number.isInteger(waits) && waits >= min && waits <= max) return waits;
  throw new InvalidSetting(
    `The context \`${SETTING}\` is ${JSON.stringify(value)}; it must be a whole number from ${min} to ${max}.`,
  );
}

/** Sets the number in the environment of a function whose calls wait. */
export function setWaits(waiting: ServiceFunction): void {
  waiting.addEnvironment('WAITS', String(waitsOf(waiting)));
}
