/** An endpoint at run time: its stack writes its configuration, and handlers and agents read it. */
import * as z from 'zod/mini';
import { MAX_CONCURRENCY } from '../limits.ts';
import { type Counts, countersFrom } from './counts.ts';
import { isEndpointId } from './endpoint-id.ts';
import type { FleetState } from './fleet-state.ts';
import type { StoredRelease } from './release.ts';
import type { Spending } from './spending.ts';

/**
 * Form of a template id. The id of a template created by the API is random. The id of a template declared in Git is
 * its file's name.
 */
export const TEMPLATE_ID = /^[a-z0-9](?:[a-z0-9-]{0,126}[a-z0-9])?$/;

/** Maximum number of workers of an endpoint. */
export const MAX_WORKERS = 100;

/** Kinds of processors that workers of a template need. */
export const CATEGORIES = ['NVIDIA', 'AMD', 'CPU'] as const;

export type Category = (typeof CATEGORIES)[number];

/** The ECS service of the workers. */
const serviceName = { cluster: z.string(), service: z.string() };
export interface ServiceName {
  readonly cluster: string;
  readonly service: string;
}

/** URLs of the two message queues: one for jobs of even generations, one for odd generations (docs/adr/0006). */
const queueUrls = z.tuple([z.string(), z.string()]);

/**
 * Limits of the example inputs in an endpoint's file, which the console's playground offers: the number of
 * examples, the characters of a name, and the bytes of all examples as JSON.
 */
export const exampleLimits = { count: 20, name: 64, bytes: 16_384 } as const;

export const examplesSchema = z.array(z.object({ name: z.string(), input: z.record(z.string(), z.unknown()) }));

export type Example = z.infer<typeof examplesSchema>[number];

/** Hourly price of one worker, which the deployment computed from its price files. */
export const workerPriceSchema = z.object({
  /** On-demand price in US dollars per hour, without disks, traffic and unused capacity of an instance. */
  hour: z.number(),
  /** Date of the oldest price in the sum, such as `2026-08-21`. */
  date: z.string(),
  /** Region of the deployment and of the prices. */
  region: z.string(),
});
export type WorkerPrice = z.infer<typeof workerPriceSchema>;

/** Prices by Region, because a CloudFormation template does not contain the Region of its deployment. */
export const workerPricesSchema = z.record(z.string(), z.omit(workerPriceSchema, { region: true }));
export type WorkerPrices = z.infer<typeof workerPricesSchema>;

const size = {
  /** Whole GPUs that ECS counts: 0 on a pool of AMD GPUs. */
  gpus: z.number(),
  /** CPU units. */
  cpu: z.number(),
  /** Memory that tasks can use, in MiB. */
  memory: z.number(),
};

/** What the service needs to launch instances for the endpoint's workers, and to end them (`core/fleet/launch.ts`). */
export const placementSchema = z.object({
  /** Name of the pool's capacity provider. */
  provider: z.string(),
  worker: z.object(size),
  /** The least that an instance of the pool has, and the number of tasks that it can run, whatever their size. */
  instance: z.object({ ...size, tasks: z.number() }),
  maxInstances: z.number(),
  /** Time for which an instance without tasks is kept, in milliseconds. */
  emptyFor: z.number(),
});
export type Placement = z.infer<typeof placementSchema>;

/** The configuration that the endpoint's stack registers. */
export const endpointConfigSchema = z.object({
  id: z.string().check(z.refine(isEndpointId)),
  /** Id of the workers' template. */
  template: z.string().check(z.regex(TEMPLATE_ID)),
  /**
   * Version of the template that the endpoint runs.
   * @default - always the newest version
   */
  pinTemplate: z.optional(z.number()),
  /**
   * Owner of the endpoint, which can use private templates of this owner.
   * @default - the platform
   */
  owner: z.optional(z.string()),
  /** Kind of processors of the endpoint's capacity. */
  category: z.enum(CATEGORIES),
  /** Largest disk that one worker can have, as its share of an instance's disk. */
  largestDiskInGb: z.number(),
  /** Repositories of Amazon ECR from which the role that starts workers may pull (`core/templates/ecr-image.ts`). */
  imageRepositories: z.array(z.string()),
  normalQueueUrls: queueUrls,
  lowQueueUrls: queueUrls,
  ...serviceName,
  /** Name of the Auto Scaling group that starts instances for the workers. Absent on Fargate. */
  instanceGroup: z.optional(z.string()),
  /**
   * Absent on Fargate, and on a pool with warm instances: ECS alone launches and ends the instances of such endpoints.
   */
  placement: z.optional(placementSchema),
  /** Log group of the workers in CloudWatch Logs. */
  logGroup: z.string(),
  /**
   * Family of the task definitions that the service runs. The endpoint's stack registers no task definition in it.
   */
  family: z.string(),
  /** ARN of the blueprint: the task definition that the endpoint's stack registers and that no service runs. */
  blueprint: z.string(),
  /**
   * `http` if the workers are HTTP servers.
   * @default - the workers ask for jobs
   */
  protocol: z.optional(z.enum(['worker', 'http'])),
  /** Absent if the price is unknown, such as for Spot. */
  workerPrice: z.optional(workerPriceSchema),
  minWorkers: z.number(),
  maxWorkers: z.number(),
  /**
   * Number of jobs that a worker runs concurrently; if absent, each worker decides
   * (`core/workers/concurrency.ts`).
   */
  concurrency: z.optional(z.number()),
  /** Time after which a worker without a job stops, in milliseconds. */
  idleTimeout: z.number(),
  /** Execution timeout of a job whose policy does not set one, in milliseconds. */
  executionTimeout: z.number(),
  /** Whether `/stream` responds as RunPod does and returns each chunk once. */
  streamEnvelope: z.optional(z.boolean()),
  /** Budget of a day in UTC, in US dollars. Absent if the endpoint has none. */
  maxDollarsPerDay: z.optional(z.number()),
});
export type EndpointConfig = z.infer<typeof endpointConfigSchema>;

/** The concurrency that the endpoint's workers last asked for. */
export const askedSchema = z.object({
  /** Number of jobs that a worker runs concurrently. */
  jobs: z.int().check(z.gte(1), z.lte(MAX_CONCURRENCY)),
  /** Number of the revision of the workers that asked. Absent before the first release. */
  revision: z.optional(z.int()),
  /**
   * Id of the template of these workers; workers of another template can ask for another number. Absent before the
   * first release.
   */
  template: z.optional(z.string()),
});

export type Asked = z.infer<typeof askedSchema>;

const storedCounters = z.pipe(z.record(z.string(), z.unknown()), z.transform(countersFrom));

/** The last step of a comparison of the counters with the stored jobs. */
export const reconciliationSchema = z.object({
  /** Time of the step, in milliseconds since the epoch. */
  auditedAt: z.number(),
  /** The endpoint's counts at this time, unless the comparison is complete. */
  counts: z.optional(storedCounters),
  /** The difference found, if any. It is added to the counters only if the next step finds the same difference. */
  missing: z.optional(storedCounters),
});
export type Reconciliation = z.infer<typeof reconciliationSchema>;

/** Jobs of the endpoint that the metrics have counted. */
export const countedEndsSchema = z.object({ ended: z.number(), failed: z.number() });
export type CountedEnds = Readonly<z.infer<typeof countedEndsSchema>>;

export interface Endpoint extends EndpointConfig {
  /**
   * Example inputs. Only the list of endpoints contains them; a read of a single endpoint omits them to save read
   * units. `Endpoints.examples` reads them.
   */
  readonly examples?: readonly Example[];
  /** Raised by every purge. Waiting jobs of older generations are purged. */
  readonly generation: number;
  /** Time of the last purge, in milliseconds since the epoch; 0 if there was none. */
  readonly purgedAt: number;
  /** The number of workers that the scaler last set, if any. */
  readonly desiredWorkers?: number | undefined;
  /** Time since which the service has needed to start workers, in milliseconds since the epoch. */
  readonly desiredSince?: number | undefined;
  /** Start of the last scale-in during a release, in milliseconds since the epoch, if there was one. */
  readonly scaleInAt?: number | undefined;
  /** The concurrency that the endpoint's workers asked for, if any worker has asked. */
  readonly asked?: Asked | undefined;
  /** What is known of the endpoint's workers from events of ECS and Auto Scaling. */
  readonly fleet: FleetState;
  /** Jobs by status, from the ledger, about one second behind. Purged jobs do not count as waiting. */
  readonly counts: Counts;
  /** Names of the counters of older generations, which are no longer needed. */
  readonly purgedCounters: readonly string[];
  readonly reconciliation?: Reconciliation | undefined;
  /** Absent until the sweeper has measured the endpoint. */
  readonly countedEnds?: CountedEnds | undefined;
  /**
   * Time at which the endpoint's stack and its queue messages were last removed, in milliseconds since the epoch.
   * Absent after the sweeper has sent new messages.
   */
  readonly messagesLostAt?: number | undefined;
  /** The current release. */
  readonly release?: StoredRelease | undefined;
  /** What was spent; absent before the first sum of an endpoint with a budget or with keys that have budgets. */
  readonly spending?: Spending | undefined;
}
