/** Limits concurrent calls. */

/**
 * Calls the function for all items, at most `most` at a time. The next item starts when any call finishes, so slow
 * items delay the rest only if there are `most` of them.
 * @returns the results in the order of the items
 * @throws the error of the first call that fails; concurrent calls continue, and can be followed by calls for the
 * remaining items
 */
export async function someAtOnce<Item, Result>(
  items: readonly Item[],
  most: number,
  call: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const lane = async () => {
    for (const [place, item] of left) results[place] = await call(item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, lane));
  return results;
}
