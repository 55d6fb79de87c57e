/** An endpoint at run time: its stack writes its configuration, and handlers and agents read it. */
import * as z from 'zod/mini';
import { MOST_AT_ONCE } from '../limits.ts';
import { type Counts, countersFrom } from './counts.ts';
import type { FleetState } from './fleet-state.ts';
import type { Release } from './release.ts';

/** The form of an endpoint id: it is a path segment, a partition key and part of resource names. */
export const ENDPOINT_ID = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The form of a template id: of one made by the API random, of one declared in Git the file's name. */
export const TEMPLATE_ID = /^[a-z0-9](?:[a-z0-9-]{0,126}[a-z0-9])?$/;

/** Processors that workers of a template need. */
export const CATEGORIES = ['NVIDIA', 'AMD', 'CPU'] as const;

export type Category = (typeof CATEGORIES)[number];

/** The ECS service of the workers. */
const serviceName = { cluster: z.string(), service: z.string() };
export interface ServiceName {
  readonly cluster: string;
  readonly service: string;
}

/** The addresses of two queues of messages: of jobs of even generations, and of odd ones (docs/adr/0006). */
const queueUrls = z.tuple([z.string(), z.string()]);

/**
 * Limits of the example inputs in an endpoint's file, which the console's playground offers: the number of examples,
 * characters of a name, and bytes of all as JSON.
 */
export const exampleLimits = { count: 20, name: 64, bytes: 16_384 } as const;

export const examplesSchema = z.array(z.object({ name: z.string(), input: z.record(z.string(), z.unknown()) }));

export type Example = z.infer<typeof examplesSchema>[number];

/** The price of one worker an hour, which the deployment computed from its price files. */
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

/** The configuration that the endpoint's stack registers. */
export const endpointConfigSchema = z.object({
  id: z.string().check(z.regex(ENDPOINT_ID)),
  /** Container image of the workers; only of a stack of an older version. Otherwise the template names it. */
  image: z.optional(z.string()),
  /** Id of the template of the workers; absent, as the next fields, until the stack of an older version is updated. */
  template: z.optional(z.string().check(z.regex(TEMPLATE_ID))),
  /** The version of the template that it runs. @default - the newest, in which it follows each update */
  pinTemplate: z.optional(z.number()),
  /** Owner of the endpoint, whose private templates it may use. */
  owner: z.optional(z.string()),
  /** The processors of its machines. */
  category: z.optional(z.enum(CATEGORIES)),
  /** The most that one worker's part of a machine's disk can be. */
  largestDiskInGb: z.optional(z.number()),
  normalQueueUrls: queueUrls,
  lowQueueUrls: queueUrls,
  ...serviceName,
  /**
   * Name of the Auto Scaling group that starts instances for the workers; absent on Fargate, and until an older stack
   * is updated.
   */
  instanceGroup: z.optional(z.string()),
  /** Log group of the workers in CloudWatch Logs; absent until the stack of an older version is updated. */
  logGroup: z.optional(z.string()),
  /** Family of the task definitions that the service runs; its stack registers none in it. */
  family: z.optional(z.string()),
  /** ARN of the blueprint, the task definition that its stack registers and no service runs. */
  blueprint: z.optional(z.string()),
  /** Absent where no price is known, such as for Spot, and until the stack of an older version is updated. */
  workerPrice: z.optional(workerPriceSchema),
  minWorkers: z.number(),
  maxWorkers: z.number(),
  /** How many jobs a worker runs at once; if it is absent, each worker decides (`core/workers/concurrency.ts`). */
  concurrency: z.optional(z.number()),
  /** How long a worker without a job is kept, in milliseconds. */
  idleTimeout: z.number(),
  /** Longest run of a job without its own limit, in milliseconds. */
  executionTimeout: z.number(),
  /** Whether `/stream` answers as RunPod does, which returns each chunk once. */
  streamEnvelope: z.optional(z.boolean()),
});
export type EndpointConfig = z.infer<typeof endpointConfigSchema>;

/** The last request of workers for jobs at once. */
export const askedSchema = z.object({
  /** Jobs that a worker runs at once. */
  jobs: z.int().check(z.gte(1), z.lte(MOST_AT_ONCE)),
  /** Number of the revision whose workers asked. Absent of a release without one. */
  revision: z.optional(z.int()),
  /**
   * Id of their template: workers of another one may ask for another number. Absent of a release without a template.
   */
  template: z.optional(z.string()),
});

export type Asked = z.infer<typeof askedSchema>;

/** The result of a comparison of the counters with the stored jobs. */
export const reconciliationSchema = z.object({
  /** Milliseconds since the epoch. */
  auditedAt: z.number(),
  /** The difference. It is added to the counters only if the next comparison finds the same. */
  missing: z.optional(z.pipe(z.record(z.string(), z.unknown()), z.transform(countersFrom))),
});
export type Reconciliation = z.infer<typeof reconciliationSchema>;

export interface Endpoint extends EndpointConfig {
  /**
   * Only of a listed endpoint, if it has any: a read of a single endpoint leaves them out, and does not pay for them.
   */
  readonly examples?: readonly Example[];
  /** Raised by every purge: jobs of an older generation are purged. */
  readonly generation: number;
  /** When the generation was last raised, in milliseconds; 0 if never. */
  readonly purgedAt: number;
  /** The last number of workers that the scaler set, if it has, and since when the service has reason to start some. */
  readonly desiredWorkers?: number;
  readonly desiredSince?: number;
  /** When the last scale-in during a release began, in milliseconds, if one has. */
  readonly scaleInAt?: number;
  /** How many jobs its workers asked to run at once, if one has asked. */
  readonly asked?: Asked;
  /** Known facts about workers that do not start. */
  readonly fleet: FleetState;
  /** Jobs by status, from the ledger: about a second behind. Purged jobs do not count as waiting. */
  readonly counts: Counts;
  /** Names of the counters of older generations, which no reader needs. */
  readonly purgedCounters: readonly string[];
  readonly reconciliation?: Reconciliation;
  /**
   * When the endpoint's stack was last removed, and its queue messages with it, in milliseconds; absent once the
   * sweeper has sent new ones.
   */
  readonly messagesLostAt?: number;
  /** The present release. */
  readonly release?: Release;
}
