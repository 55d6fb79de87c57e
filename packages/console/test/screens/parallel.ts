/** Processes many items, a few of them at a time. */

/** Maximum number of items at a time. A page waits for the service most of its time. */
const AT_ONCE = 3;

/**
 * Starts the items in order.
 * @throws the error of the first item that fails
 */
export async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  async function worker(): Promise<void> {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
