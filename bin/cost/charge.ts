/** The charges for one resource. */

import type { PriceRow, Prices } from '../../lib/prices/prices.ts';
import type { App, Resource } from '../assembly/app.ts';

/** Hours of a month, as in AWS's own examples. */
export const HOURS_PER_MONTH = 730;
const MILLION = 1_000_000;

const monthsOf = { hour: HOURS_PER_MONTH, month: 1, million: 1 / MILLION } as const;
export type Unit = keyof typeof monthsOf;

/** A cost while nothing runs. */
export interface Charge {
  readonly what: string;
  /** Number of units; with `million`, the number of events in a month. */
  readonly count: number;
  readonly unit: Unit;
  /** US dollars for one unit. */
  readonly price: number;
  /** US dollars a month. */
  readonly monthly: number;
}

export function charge(what: string, count: number, unit: Unit, price: number): Charge {
  return { what, count, unit, price, monthly: count * price * monthsOf[unit] };
}

/** A price for calls, storage or transfers, or for something that a command creates. */
export type Use = keyof Prices['perGb'] | keyof Prices['perMillion'] | 'secret' | 'balancerUnit';

export const priceOfUse = (
  { perGb, perMillion, perMonth: { secret }, perHour: { balancerUnit } }: Prices,
  use: Use,
): PriceRow => ({ ...perGb, ...perMillion, secret, balancerUnit })[use];

export interface Verdict {
  readonly charges?: readonly Charge[];
  readonly byUse?: readonly Use[];
  /** The part without a known price, as the end of a sentence. */
  readonly unpriced?: string;
}

export interface Question {
  readonly resource: Resource;
  readonly app: App;
  readonly prices: Prices;
}

export type Rule = (question: Question) => Verdict;
