/** The charges for one resource. */

import type { App, Resource } from '../../bin/synthesized/app.ts';
import type { PriceRow, Prices } from '../../lib/prices/prices.ts';

/** As AWS counts a month in its own examples. */
export const HOURS_PER_MONTH = 730;
const MILLION = 1_000_000;

const monthsOf = { hour: HOURS_PER_MONTH, month: 1, million: 1 / MILLION } as const;
export type Unit = keyof typeof monthsOf;

/** A cost while nothing runs. */
export interface Charge {
  readonly what: string;
  /** How many of it there are; with `million`, how often it happens in a month. */
  readonly count: number;
  readonly unit: Unit;
  /** US dollars for one of it and one unit. */
  readonly price: number;
  /** US dollars a month. */
  readonly monthly: number;
}

export function charge(what: string, count: number, unit: Unit, price: number): Charge {
  return { what, count, unit, price, monthly: count * price * monthsOf[unit] };
}

/** A price that only counts when something is called, stored or moved, or made by a command. */
export type Use = keyof Prices['perGb'] | keyof Prices['perMillion'] | 'secret' | 'balancerUnit';

export const priceOfUse = (
  { perGb, perMillion, perMonth: { secret }, perHour: { balancerUnit } }: Prices,
  use: Use,
): PriceRow => ({ ...perGb, ...perMillion, secret, balancerUnit })[use];

export interface Verdict {
  readonly charges?: readonly Charge[];
  readonly byUse?: readonly Use[];
  /** The part whose price is not known here, as the end of a sentence. */
  readonly unpriced?: string;
}

export interface Question {
  readonly resource: Resource;
  readonly app: App;
  readonly prices: Prices;
}

export type Rule = (question: Question) => Verdict;
