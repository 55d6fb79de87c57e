/** An endpoint as the running service knows it; its stack writes the record, the handlers and agents read it. */
import * as z from 'zod/mini';
import { MOST_AT_ONCE } from '../limits.ts';
import { type Counts, countersFrom } from './counts.ts';
import type { FleetState } from './fleet-state.ts';
import type { Release } from './release.ts';

/** The form of an endpoint id: it is a path segment, a partition key and part of resource names. */
export const ENDPOINT_ID = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The form of a template id: of one made by the API random, of one declared in Git the file's name. */
export const TEMPLATE_ID = /^[a-z0-9](?:[a-z0-9-]{0,126}[a-z0-9])?$/;

/** What workers of a template compute on. */
export const CATEGORIES = ['NVIDIA', 'AMD', 'CPU'] as const;

export type Category = (typeof CATEGORIES)[number];

/** Where the workers run, as ECS names it. */
const serviceName = { cluster: z.string(), service: z.string() };
export interface ServiceName {
  readonly cluster: string;
  readonly service: string;
}

/** The addresses of two queues of messages: of jobs of even generations, and of odd ones (docs/adr/0006). */
const queueUrls = z.tuple([z.string(), z.string()]);

/**
 * Inputs that the file of an endpoint shows its users: the playground of the console offers them.
 *
 * Most examples of an endpoint, characters of a name, and bytes of all as JSON.
 */
export const exampleLimits = { count: 20, name: 64, bytes: 16_384 } as const;

export const examplesSchema = z.array(z.object({ name: z.string(), input: z.record(z.string(), z.unknown()) }));

export type Example = z.infer<typeof examplesSchema>[number];

/** What one worker of an endpoint costs an hour, as the deployment computed it from its price files. */
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

/** What the endpoint's stack registers. */
export const endpointConfigSchema = z.object({
  id: z.string().check(z.regex(ENDPOINT_ID)),
  /** Container image of the workers, of the stack of an older version alone: it is the template that says it. */
  image: z.optional(z.string()),
  /** Id of the template of the workers; absent, as what follows, until the stack of an older version is updated. */
  template: z.optional(z.string().check(z.regex(TEMPLATE_ID))),
  /** The version of the template that it runs. @default - the newest, in which it follows each update */
  pinTemplate: z.optional(z.number()),
  /** Whose it is: it may use private templates of this owner. */
  owner: z.optional(z.string()),
  /** What its machines compute on. */
  category: z.optional(z.enum(CATEGORIES)),
  /** The most that one worker's part of a machine's disk can be. */
  largestDiskInGb: z.optional(z.number()),
  normalQueueUrls: queueUrls,
  lowQueueUrls: queueUrls,
  ...serviceName,
  /** Name of the Auto Scaling group that starts instances for the workers; absent on Fargate, and until an older stack is updated. */
  instanceGroup: z.optional(z.string()),
  /** Where the workers' lines go, as CloudWatch Logs names it; absent until the stack of an older version is updated. */
  logGroup: z.optional(z.string()),
  /** Family of the task definitions that the service runs; its stack registers none in it. */
  family: z.optional(z.string()),
  /** ARN of the task definition that they are made from, which its stack registers and nobody runs. */
  blueprint: z.optional(z.string()),
  /** Absent where no price is known, such as for Spot, and until the stack of an older version is updated. */
  workerPrice: z.optional(workerPriceSchema),
  minWorkers: z.number(),
  maxWorkers: z.number(),
  /** How many jobs a worker runs at once; if it is absent, each worker decides (`core/workers/concurrency.ts`). */
  concurrency: z.optional(z.number()),
  /** How long a worker without a job is kept, in milliseconds. */
  idleTimeout: z.number(),
  /** Longest run of a job that does not say otherwise, in milliseconds. */
  executionTimeout: z.number(),
  /** Whether `/stream` answers as the original service does, which gives each chunk once. */
  streamEnvelope: z.optional(z.boolean()),
});
export type EndpointConfig = z.infer<typeof endpointConfigSchema>;

/** What workers asked for last. */
export const askedSchema = z.object({
  /** Jobs that a worker runs at once. */
  jobs: z.int().check(z.gte(1), z.lte(MOST_AT_ONCE)),
  /** Number of the revision whose workers asked. Absent of a release without one. */
  revision: z.optional(z.int()),
  /** Id of their template: workers of another one may ask for another number. Absent of a release without a template. */
  template: z.optional(z.string()),
});

export type Asked = z.infer<typeof askedSchema>;

/** A comparison of the counters with the jobs that are there. */
export const reconciliationSchema = z.object({
  /** Milliseconds since the epoch. */
  auditedAt: z.number(),
  /** What the counters lacked. It is only believed, and added, if the next audit finds the same. */
  missing: z.optional(z.pipe(z.record(z.string(), z.unknown()), z.transform(countersFrom))),
});
export type Reconciliation = z.infer<typeof reconciliationSchema>;

export interface Endpoint extends EndpointConfig {
  /** Of one that was listed, if it has any. Nobody who reads a single endpoint needs them, or pays for their size. */
  readonly examples?: readonly Example[];
  /** Raised by every purge: jobs of an older generation are purged. */
  readonly generation: number;
  /** When the generation was last raised, in milliseconds; 0 if never. */
  readonly purgedAt: number;
  /** How many workers the service was last told to run, if it was, and since when it has reason to start some. */
  readonly desiredWorkers?: number;
  readonly desiredSince?: number;
  /** When a scale-in during a release began last, in milliseconds, if one has. */
  readonly scaleInAt?: number;
  /** How many jobs its workers asked to run at once, if one has asked. */
  readonly asked?: Asked;
  /** What is known of why workers do not come. */
  readonly fleet: FleetState;
  /** Jobs by what they are, as far as the ledger has got: about a second behind. Those that are purged do not wait. */
  readonly counts: Counts;
  /** Names of the counters that are kept of older generations, which nobody asks for. */
  readonly purgedCounters: readonly string[];
  readonly reconciliation?: Reconciliation;
  /**
   * When the stack of the endpoint was removed last, in milliseconds, and with it the queue messages of its jobs; absent once
   * the sweeper has sent new ones.
   */
  readonly messagesLostAt?: number;
  /** What the service was last told to run. */
  readonly release?: Release;
}
