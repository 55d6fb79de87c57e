/** How the quantities of each operation grow: their exponents, and whether these are within the bound. */
import type { Count } from '../../../../test/support/call-counter.ts';
import { exponentOf } from './fit.ts';
import type { Dimension, Measured } from './measure.ts';
import { operations } from './operations.ts';

/** Largest exponent of calls and units: at 10,000 times the size, they have grown by at most 59 %. */
export const BOUND = 0.05;

const bounded = ['calls', 'wru', 'rru', 'sqs'] as const satisfies readonly (keyof Count)[];
type Quantity = (typeof bounded)[number] | 'queryRru' | 'ms';

export interface Growth {
  readonly operation: string;
  readonly title: string;
  readonly dimension: Dimension;
  /** The measurements by ascending size. */
  readonly rows: readonly Measured[];
  readonly exponents: Readonly<Record<Quantity, number>>;
  /** `stated`: the exponents exceed the bound, and the operation states why. */
  readonly verdict: 'met' | 'stated' | 'missed';
  /** Why the operation grows with the number of jobs. */
  readonly reason?: string;
}

/** Returns the growth of each measured operation along one dimension. */
export function growthsOf(measured: readonly Measured[], dimension: Dimension): Growth[] {
  return operations.flatMap(({ name, title, grows }) => {
    const rows = measured
      .filter((row) => row.operation === name && row.dimension === dimension)
      .toSorted((one, other) => one.size - other.size);
    if (rows.length === 0) return [];
    const exponent = (quantity: Quantity) => exponentOf(rows.map((row) => ({ size: row.size, value: row[quantity] })));
    const names = [...bounded, 'queryRru', 'ms'] as const;
    const exponents = Object.fromEntries(names.map((one) => [one, exponent(one)])) as Record<Quantity, number>;
    const isMet = bounded.every((one) => exponents[one] <= BOUND);
    const reason = dimension === 'jobs' ? grows : undefined;
    const verdict = isMet ? 'met' : reason === undefined ? 'missed' : 'stated';
    return [{ operation: name, title, dimension, rows, exponents, verdict, ...(reason !== undefined && { reason }) }];
  });
}

/** Returns the largest exponent of calls, units and requests. */
export const worstOf = ({ exponents }: Growth): number => Math.max(...bounded.map((one) => exponents[one]));

/** Returns one sentence for each operation that grows too fast without a stated reason. */
export const complaintsOf = (growths: readonly Growth[]): string[] =>
  growths
    .filter(({ verdict }) => verdict === 'missed')
    .map(({ operation, dimension, exponents }) => {
      const worst = bounded.map((one) => `${one} ${exponents[one].toFixed(2)}`).join(', ');
      return `${operation} grows with the number of ${dimension}: exponents ${worst}; the bound is ${BOUND}.`;
    });
