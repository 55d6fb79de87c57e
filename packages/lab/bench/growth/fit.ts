/** Fits a power law: `value = factor * size ** exponent`. */

export interface Point {
  readonly size: number;
  readonly value: number;
}

/** Takes the place of a value of 0, which has no logarithm: the smallest unit that DynamoDB charges. */
const MIN_VALUE = 0.5;

const meanOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/**
 * Returns the exponent of the power law that fits the points best: the slope of the line through their logarithms, by
 * least squares. It is 0 if all values are equal.
 * @throws Error if there are fewer than two sizes
 */
export function exponentOf(points: readonly Point[]): number {
  if (new Set(points.map(({ size }) => size)).size < 2) throw new Error('A fit needs at least two sizes.');
  const [first] = points;
  if (points.every(({ value }) => value === first?.value)) return 0;
  const logs = points.map(({ size, value }) => ({ x: Math.log(size), y: Math.log(Math.max(value, MIN_VALUE)) }));
  const [x, y] = [meanOf(logs.map((log) => log.x)), meanOf(logs.map((log) => log.y))];
  const slope = logs.reduce((sum, log) => sum + (log.x - x) * (log.y - y), 0);
  return slope / logs.reduce((sum, log) => sum + (log.x - x) ** 2, 0);
}
