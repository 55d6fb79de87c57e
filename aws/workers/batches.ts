/** Splits lists for calls of ECS that accept a limited number of items. */

/** Splits a list into lists of at most this length. */
export const batchesOf = <Item>(items: readonly Item[], max: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / max) }, (_, n) => items.slice(n * max, (n + 1) * max));
