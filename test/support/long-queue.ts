/**
 * Fills the queue of an endpoint faster than clients may. The service's own code accepts the first jobs. All other jobs
 * are copies with ids and times of their own. The ledger's own code counts all of them.
 */
import { randomBytes } from 'node:crypto';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import pLimit from 'p-limit';
import { createDocumentClient } from '../../aws/clients.ts';
import { environment } from '../../aws/environment.ts';
import { type Ports, portsWith } from '../../aws/ports.ts';
import type { EndpointConfig } from '../../core/endpoints/endpoint.ts';
import { jobId, type NewJobId, partitionOf, partitionsOf } from '../../core/jobs/id.ts';
import type { Job, QueuedJob } from '../../core/jobs/job.ts';
import { messageOf, queueOf } from '../../core/jobs/queues.ts';
import { record } from '../../core/ledger/record.ts';
import { SECOND } from '../../core/limits.ts';
import { run } from '../../core/submission/submit.ts';
import { withConstantSignature } from './constant-signature.ts';
import type { EmulatedDeployment } from './emulated-deployment.ts';
import { recordServices } from './recorded-services.ts';
import { storeJobs } from './stored-jobs.ts';

/** The jobs arrived evenly until now, at the contract's rate of `/run`. */
const PER_SECOND = 100;
/** Number of changes that the ledger counts in one batch: more than in AWS, because the sums do not depend on it. */
const COUNTED_TOGETHER = 2_000;
/** Maximum number of messages in one call of SQS. */
const SENT_TOGETHER = 10;
const AT_ONCE = 4;

/** Stores copies of jobs that the service has stored. */
export type StoreJobs = (jobs: readonly Job[]) => Promise<void>;

export interface QueueOptions {
  /**
   * Number of jobs with a message.
   * @default - all
   */
  readonly messages?: number;
  /** @default - writes over the interface of DynamoDB */
  readonly store?: StoreJobs;
  /** Called with the number of jobs that are stored and counted. */
  readonly onQueued?: (count: number) => void;
}

const partsOf = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));

const storeOver: StoreJobs = async (jobs) => {
  await pLimit(AT_ONCE).map(partsOf(jobs, Math.ceil(jobs.length / AT_ONCE)), storeJobs);
};

/** Sends messages of jobs in the form in which the service sends them. */
async function sendMessages(sqs: SQSClient, queueUrl: string, jobs: readonly Job[]): Promise<void> {
  await pLimit(AT_ONCE).map(partsOf(jobs, SENT_TOGETHER), async (together) => {
    const Entries = together.map((job, n) => ({ Id: String(n), MessageBody: JSON.stringify(messageOf(job)) }));
    await sqs.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
  });
}

/** Returns a sequence of the stream, which sorts as a string. */
export const sequenceOf = (number: number) => String(number).padStart(21, '0');

/**
 * Returns a function that creates ids for the partitions of an endpoint in turn. If random partitions got the jobs, the
 * number of reads of a list would depend on the ids.
 */
export function evenJobIds(): NewJobId {
  const endpoint = '';
  const partitions = partitionsOf(endpoint);
  let created = 0;
  return (kind, now) => {
    const partition = partitions[created % partitions.length];
    created += 1;
    for (;;) {
      const id = jobId(kind, now, randomBytes(32));
      if (partitionOf({ endpoint, id }) === partition) return id;
    }
  };
}

/**
 * Lets the service accept a job for each partition of the endpoint.
 * @returns the jobs, oldest first
 */
async function acceptFirst(ports: Ports, { id }: EndpointConfig, max: number): Promise<QueuedJob[]> {
  const jobs: QueuedJob[] = [];
  while (jobs.length < Math.min(partitionsOf(id).length, max)) {
    const accepted = await run(ports, { endpoint: id, owner: 'tests', body: Buffer.from('{"input":{"n":1}}') });
    const job = await ports.jobs.read({ endpoint: id, id: accepted.id });
    if (job?.status !== 'IN_QUEUE') throw new Error(`The job ${accepted.id} does not wait.`);
    jobs.push(job);
  }
  return jobs;
}

/**
 * Queues jobs in an endpoint that was just deployed.
 * @returns the ids of the jobs, oldest first
 */
export async function fillQueue(
  emulated: EmulatedDeployment,
  endpoint: EndpointConfig,
  count: number,
  { messages = count, store = storeOver, onQueued = () => undefined }: QueueOptions = {},
): Promise<string[]> {
  const newJobId = evenJobIds();
  const ports = portsWith(emulated.ports, { services: recordServices(), newJobId });
  const first = await acceptFirst(ports, endpoint, count);
  const [pattern] = first;
  if (!pattern) throw new Error('A queue needs at least one job.');
  const copyAt = (time: number): Job => ({
    ...pattern,
    id: newJobId('run', time),
    acceptedAt: time,
    queuedAt: time,
    queueDeadline: time + pattern.queueTtl,
  });
  const begin = emulated.clock.now() - Math.ceil((count * SECOND) / PER_SECOND);
  const timeOf = (n: number) => begin + Math.floor((n * SECOND) / PER_SECOND);
  const sqs = new SQSClient({ useQueueUrlAsEndpoint: true });
  const ids: string[] = [];
  const copies = count - first.length;
  while (ids.length < copies) {
    const many = Math.min(COUNTED_TOGETHER, copies - ids.length);
    const jobs = Array.from({ length: many }, (_, n) => copyAt(timeOf(ids.length + n)));
    const changes = jobs.map((job, n) => ({ sequence: sequenceOf(ids.length + n), after: job }));
    await store(jobs);
    await record(ports, changes);
    await sendMessages(sqs, queueOf(endpoint, pattern), jobs.slice(0, Math.max(0, messages - ids.length)));
    ids.push(...jobs.map((job) => job.id));
    onQueued(ids.length);
  }
  const last = first.map((after, n) => ({ sequence: sequenceOf(copies + n), after }));
  await record(ports, last);
  return [...ids, ...first.map(({ id }) => id)];
}

/**
 * Runs `work`, such as a purge, and then restores the item with the endpoint's state, so that its jobs wait again.
 * `work` may not write other items.
 */
export async function withStateRestored(endpoint: string, work: () => Promise<void>): Promise<void> {
  const documents = createDocumentClient(withConstantSignature);
  const [TableName, Key] = [environment('ENDPOINTS_TABLE'), { endpoint, item: 'state' }];
  const { Item = Key } = await documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  await work();
  await documents.send(new PutCommand({ TableName, Item }));
}
