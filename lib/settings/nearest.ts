/** Finds the name that a mistyped one probably means. */
import leven from 'leven';

/** Returns the name that differs least, or undefined if it differs in more than a third of the letters. */
export function nearestName(mistyped: string, names: readonly string[]): string | undefined {
  const [nearest] = names.toSorted((one, other) => leven(mistyped, one) - leven(mistyped, other));
  if (nearest === undefined) return undefined;
  return leven(mistyped, nearest) <= Math.max(2, mistyped.length / 3) ? nearest : undefined;
}
