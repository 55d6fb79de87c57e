/** Measured values and whether they are within their bounds. */

/** @returns the value at or below which this fraction of the values is, or 0 if there are no values */
export const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * part) - 1] ?? 0;

export const median = (values: readonly number[]): number => percentile(values, 0.5);

export const verdict = (isMet: boolean): string => (isMet ? 'met' : 'MISSED');

/**
 * @param value the measured value, formatted
 * @returns a string with the value, its bound and whether the bound is met
 */
export const withBound = (value: string, bound: number, isMet: boolean): string =>
  `${value}   bound ${bound}   ${verdict(isMet)}`;
