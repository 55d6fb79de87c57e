/** Calls that are made side by side, but not all at once. */

/**
 * Calls the function for all items, at most `most` of them at a time. The next item begins when any of them is done, so
 * that one that takes long holds up the rest only if there are `most` such items.
 * @returns the results in the order of the items
 * @throws what the first call that fails throws; calls under way go on
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
