import * as z from 'zod/mini';
import { environment } from '../../aws/environment.ts';
import { createPorts } from '../../aws/ports.ts';
import {
  endpointConfigSchema,
  examplesSchema,
  placementSchema,
  type WorkerPrice,
  type WorkerPrices,
  workerPricesSchema,
} from '../../core/endpoints/endpoint.ts';
import { customResource } from '../custom-resource.ts';
import { flag, number } from '../scalars.ts';

const ports = createPorts();

const json = <Schema extends z.core.$ZodType>(schema: Schema) =>
  z.pipe(
    z.string(),
    z.pipe(
      z.transform((text: string): unknown => JSON.parse(text)),
      schema,
    ),
  );

const propertiesSchema = z.extend(endpointConfigSchema, {
  minWorkers: number,
  maxWorkers: number,
  concurrency: z.optional(number),
  idleTimeout: number,
  executionTimeout: number,
  largestDiskInGb: number,
  pinTemplate: z.optional(number),
  streamEnvelope: z.optional(flag),
  maxDollarsPerDay: z.optional(number),
  examples: z._default(json(examplesSchema), []),
  placement: z.optional(json(placementSchema)),
  workerPrices: z.optional(json(workerPricesSchema)),
});

/** Returns the price in the Region of this function, or undefined if it is unknown. */
function priceHere(prices: WorkerPrices = {}): WorkerPrice | undefined {
  const region = environment('AWS_REGION');
  const price = prices[region];
  return price && { ...price, region };
}

/** The custom resource that registers an endpoint while its stack exists. */
export const handler = customResource(
  async (event) => {
    if (event.RequestType === 'Delete') await ports.endpoints.remove(event.PhysicalResourceId);
    else {
      const { examples, workerPrices, ...config } = propertiesSchema.parse(event.ResourceProperties);
      const workerPrice = priceHere(workerPrices);
      if (config.maxDollarsPerDay !== undefined && workerPrice === undefined)
        throw new Error(
          `The endpoint ${config.id} cannot have \`maxDollarsPerDay\`: the price of its worker in ${environment('AWS_REGION')} is unknown.`,
        );
      await ports.endpoints.register({ ...config, ...(workerPrice && { workerPrice }) }, examples);
    }
  },
  ({ ResourceProperties }) => String(ResourceProperties.id),
);
