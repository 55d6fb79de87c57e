/** Splits lists for calls of ECS that accept a limited number of items. */

/** Splits a list into lists of at most this length. */
export const batchesOf = <Item>(items: readonly Item[], most: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / most) }, (_, n) => items.slice(n * most, (n + 1) * most));
