/** What one worker of an endpoint costs an hour, as the deployment computed it from its price files. */
import * as z from 'zod/mini';

export const workerPriceSchema = z.object({
  /** US dollars an hour, on demand, without disks, traffic and the room of an instance that no worker uses. */
  hour: z.number(),
  /** The day of the oldest price in it, such as `2026-08-21`. */
  date: z.string(),
  /** Region of the prices, which is that of the deployment. */
  region: z.string(),
});
export type WorkerPrice = z.infer<typeof workerPriceSchema>;

/** Prices by Region: a template does not know where it is deployed. */
export const workerPricesSchema = z.record(z.string(), z.omit(workerPriceSchema, { region: true }));
export type WorkerPrices = z.infer<typeof workerPricesSchema>;
