/** An endpoint as the running service knows it; its stack writes the record, the handlers and agents read it. */
import * as z from 'zod/mini';

/** The form of an endpoint id: it is a path segment, a partition key and part of resource names. */
export const ENDPOINT_ID = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** What the endpoint's stack registers. */
export const endpointConfigSchema = z.object({
  id: z.string().check(z.regex(ENDPOINT_ID)),
  /** Container image of the workers. */
  image: z.string(),
  normalQueueUrl: z.string(),
  lowQueueUrl: z.string(),
  minWorkers: z.number(),
  maxWorkers: z.number(),
  /** Longest run of a job that does not say otherwise, in milliseconds. */
  executionTimeout: z.number(),
});
export type EndpointConfig = z.infer<typeof endpointConfigSchema>;

export interface Endpoint extends EndpointConfig {
  /** Raised by every purge: jobs of an older generation are purged. */
  readonly generation: number;
  /** When the generation was last raised, in milliseconds; 0 if never. */
  readonly purgedAt: number;
}
