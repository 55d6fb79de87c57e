/** Limits concurrent calls. */

/**
 * Number of endpoints that are swept concurrently. A slow endpoint does not delay the others, and hundreds are swept
 * within a minute.
 */
export const SWEPT_AT_ONCE = 25;

/**
 * Number of endpoints to which an update of their template is released concurrently. ECS accepts a new task definition
 * about once a second; the SDK slows down when ECS refuses calls.
 */
export const RELEASED_AT_ONCE = 5;

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
