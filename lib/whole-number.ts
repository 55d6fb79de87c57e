/** Fields of declarations that are numbers. Messages complete the sentence "`field` …". */
import * as z from 'zod/mini';

export function wholeNumber(min: number, max: number) {
  const must = `must be a whole number from ${min} to ${max}`;
  return z.int(must).check(z.gte(min, must), z.lte(max, must));
}
