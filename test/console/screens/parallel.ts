/** Does the same with many things, a few of them at a time. */

/** As many pages as cores: other tests run beside these. */
const AT_ONCE = 2;

/** Starts them in their order. @throws what the first that fails throws */
export async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  async function worker(): Promise<void> {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
