/** What a load demands of each quota: counts of the record, and the keys of the service's tables. */
import { ROWS_PER_WRITE } from '../../core/history/limits.ts';
import type { Prices } from '../../lib/prices/prices.ts';
import { assumptions, design } from './design.ts';
import type { JobCost, Load } from './load.ts';

export interface Basis {
  readonly cost: JobCost;
  readonly prices: Pick<Prices, 'assumedMs'>;
}

/** Tables in which all items of an endpoint that its jobs write have one partition key: the endpoint. */
const tables = ['jobs', 'payloads', 'endpoints', 'arrivals', 'deadlines', 'deliveries', 'history'] as const;

/** Returns the expected number of different values among `draws` of `values` values. */
const distinct = (values: number, draws: number) => values * (1 - (1 - 1 / values) ** draws);

const writesPerJob = ({ cost }: Basis) => cost.sum('wru', 'jobs');

/**
 * Returns the number of partitions of the jobs table, which is also the number of shards of its stream: at least those
 * of a new table, and as many as the throughput of partitions requires. DynamoDB often has more.
 */
export function shardsOf({ jobsPerSecond }: Load, basis: Basis): number {
  const [writes, reads] = [writesPerJob(basis), basis.cost.sum('rru', 'jobs')];
  return Math.max(assumptions.newPartitions, (jobsPerSecond * writes) / 1_000, (jobsPerSecond * reads) / 3_000);
}

/** Returns the changes per second in one shard of the stream: each write of a job is one. */
const changesPerShard = (load: Load, basis: Basis) =>
  (load.jobsPerSecond * writesPerJob(basis)) / shardsOf(load, basis);

/** Returns the batches per second of one shard: one in each window, or more if they are full. */
const batchesPerShard = (load: Load, basis: Basis) =>
  Math.max(1 / design.window, changesPerShard(load, basis) / design.batch);

/** Returns the milliseconds of processor time of a call in a function with this memory. */
const cpuMs = (memory: number) => assumptions.callCpuMs * Math.max(1, assumptions.memoryOfProcessor / memory);

/**
 * Returns the seconds that the ledger needs for a batch of these changes. For each endpoint it makes one call for
 * deadlines, one to scale, two, in parallel, for arrivals and one for each `ROWS_PER_WRITE` jobs that have ended, and for
 * each partition key one for the counter.
 */
export function batchSeconds(changes: number, load: Load, basis: Basis): number {
  const keys = Math.max(1, (load.endpoints * design.partitions) / shardsOf(load, basis));
  const found = distinct(keys, changes);
  const endpoints = Math.min(found, distinct(Math.min(load.endpoints, keys), changes));
  const ended = changes / writesPerJob(basis) / endpoints;
  const inSequence = 3 + Math.ceil(ended / ROWS_PER_WRITE) + found / endpoints;
  const waiting = Math.max(1, endpoints / design.recordedAtOnce) * inSequence * assumptions.callMs;
  const computing = ((4 + Math.ceil(ended / ROWS_PER_WRITE)) * endpoints + found) * cpuMs(basis.cost.memory);
  return Math.max(waiting, computing) / 1_000;
}

/** Returns the percentage of the time in which the ledger of a shard works. */
function ledgerLoad(load: Load, basis: Basis): number {
  const batches = batchesPerShard(load, basis);
  return 100 * batches * batchSeconds(changesPerShard(load, basis) / batches, load, basis);
}

/** Returns the batches per second that contain changes of one endpoint: in each, the ledger writes its items once. */
function ledgerWrites(load: Load, basis: Basis): number {
  const perKey = (load.jobsPerSecond * writesPerJob(basis)) / load.endpoints / design.partitions;
  return design.partitions * Math.min(perKey, batchesPerShard(load, basis));
}

/** Returns the seconds of a sweep, which sweeps some endpoints at the same time. */
function sweepSeconds({ endpoints }: Load, { cost }: Basis): number {
  const waiting = (endpoints / design.sweptAtOnce) * cost.sweepCalls * assumptions.callMs;
  return Math.max(waiting, endpoints * cost.sweepCalls * cpuMs(cost.memory)) / 1_000;
}

const workersOf = ({ jobsPerSecond, jobSeconds, concurrency }: Load) => (jobsPerSecond * jobSeconds) / concurrency;

/** Largest size of the items with arrivals of an hour and of a day, in write units. */
const ARRIVAL_UNITS = 5;
/** Bytes of a job's id in an item of deadlines. Each job has two deadlines. */
const DEADLINE_BYTES = 40;

/** Demand on each quota and limit, by its name. */
export const demands: Readonly<Record<string, (load: Load, basis: Basis) => number>> = {
  // All endpoints together.
  cloudFrontRequests: (load, { cost }) => load.jobsPerSecond * cost.requests,
  apiGatewayRequests: (load, { cost }) => load.jobsPerSecond * cost.requests,
  lambdaRequests: ({ jobsPerSecond }, { cost }) =>
    jobsPerSecond * (2 * cost.requests + cost.ledgerInvocations + cost.deliveries),
  lambdaConcurrency({ jobsPerSecond }, { cost, prices }) {
    const { authorizer, handler, ledger } = prices.assumedMs;
    const ofRequests = cost.requests * (authorizer + handler) + cost.ledgerInvocations * ledger;
    return (jobsPerSecond * (ofRequests + cost.deliveries * assumptions.receiverMs)) / 1_000;
  },
  lambdaScaling: ({ jobsPerSecond }, { cost, prices }) =>
    (jobsPerSecond * Math.max(cost.requests * prices.assumedMs.handler, cost.deliveries * assumptions.receiverMs)) /
    1_000,
  dynamodbTableWrites: ({ jobsPerSecond }, { cost }) =>
    jobsPerSecond * Math.max(...tables.map((table) => cost.sum('wru', table))),
  dynamodbNewTableWrites: ({ jobsPerSecond }, { cost }) =>
    jobsPerSecond * Math.max(...tables.map((table) => cost.sum('wru', table))),
  dynamodbTableReads: ({ jobsPerSecond }, { cost }) =>
    jobsPerSecond * Math.max(...tables.map((table) => cost.sum('rru', table))),
  stepFunctionsStarts: ({ jobsPerSecond }, { cost }) => jobsPerSecond * cost.deliveries,
  kmsRequests: ({ jobsPerSecond, secrets }) => (secrets ? 2 * jobsPerSecond : 0),
  ledger: ledgerLoad,
  webhookStarts: (load, basis) => (load.jobsPerSecond * basis.cost.deliveries) / shardsOf(load, basis),
  // One endpoint.
  runRequests: ({ jobsPerSecond, endpoints }) => jobsPerSecond / endpoints,
  statusRequests: ({ jobsPerSecond, endpoints }, { cost }) => (jobsPerSecond * (cost.requests - 1)) / endpoints,
  dynamodbPartitionWrites: (load, basis) =>
    Math.max(
      (load.jobsPerSecond * writesPerJob(basis)) / load.endpoints / design.partitions,
      ARRIVAL_UNITS * ledgerWrites(load, basis),
      (load.jobsPerSecond / load.endpoints) * 2 * (DEADLINE_BYTES / 1_024),
      (load.jobsPerSecond / load.endpoints) * basis.cost.sum('wru', 'history'),
    ),
  // A function reads the endpoint for each job that it accepts, and a worker for each job that it takes.
  dynamodbPartitionReads: ({ jobsPerSecond, endpoints }, { cost }) =>
    Math.max(
      (2 * jobsPerSecond) / endpoints,
      (jobsPerSecond * cost.sum('rru', 'jobs')) / endpoints / design.partitions,
    ),
  sqsInFlight: ({ jobsPerSecond, endpoints, jobSeconds }) =>
    (jobsPerSecond / endpoints) * Math.min(jobSeconds, design.hidden),
  s3Writes: ({ jobsPerSecond, endpoints }, { cost }) => (jobsPerSecond * cost.sum('s3Put', 'bucket')) / endpoints,
  s3Reads: ({ jobsPerSecond, endpoints }, { cost }) => (jobsPerSecond * cost.sum('s3Get', 'bucket')) / endpoints,
  // Workers.
  workers: (load) => workersOf(load) / load.endpoints,
  fargateVcpus: (load) => (load.workers === 'cpu' ? workersOf(load) * load.vcpus : 0),
  gpuVcpus: (load) => (load.workers === 'gpu' ? workersOf(load) * load.vcpus : 0),
  ecsInstances: (load) => (load.workers === 'gpu' ? workersOf(load) : 0),
  ecsProtections: (load) => workersOf(load) / design.protection,
  logsWrites: (load) => 2 * workersOf(load) * assumptions.logWrites,
  // The number of endpoints.
  ecsUpdates: ({ endpoints }) => (endpoints * assumptions.scalings) / 3_600,
  ecsDescribes: ({ endpoints }) => Math.ceil(endpoints / 10) / 60,
  ecsServices: ({ endpoints }) => design.platform.services + endpoints * design.endpoint.services,
  apiGatewayKeys: ({ endpoints }) => design.platform.keys + endpoints * design.endpoint.keys,
  iamRoles: ({ endpoints }) => design.platform.roles + endpoints * design.endpoint.roles,
  cloudFormationStacks: ({ endpoints }) => design.platform.stacks + endpoints * design.endpoint.stacks,
  cloudFormationResources: () => design.platform.resources,
  sweep: sweepSeconds,
};

/** The names of demands that grow with the number of workers. The other demands do not depend on them. */
export const ofWorkers = ['workers', 'fargateVcpus', 'gpuVcpus', 'ecsInstances', 'ecsProtections', 'logsWrites'];
/** The names of demands that depend only on the number of endpoints. */
export const ofEndpoints = [
  ...['ecsUpdates', 'ecsDescribes', 'ecsServices', 'apiGatewayKeys', 'iamRoles'],
  ...['cloudFormationStacks', 'cloudFormationResources', 'sweep'],
];
