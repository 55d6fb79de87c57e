/** The measured operations: what functions and agents do for them, with the use-cases and adapters that they use. */
import { randomBytes } from 'node:crypto';
import { type Ports, portsWith } from '../../../../aws/ports.ts';
import { authorize } from '../../../../core/authorizer/authorize.ts';
import type { Clock } from '../../../../core/clock.ts';
import type { EndpointConfig } from '../../../../core/endpoints/endpoint.ts';
import type { Services } from '../../../../core/endpoints/store.ts';
import type { ExpiryTimers } from '../../../../core/expiry/expire.ts';
import { cancel } from '../../../../core/jobs/cancel.ts';
import { partitionsOf } from '../../../../core/jobs/id.ts';
import { purgeQueue } from '../../../../core/jobs/purge-queue.ts';
import { hashOf, newSecret } from '../../../../core/keys/client-keys.ts';
import { record } from '../../../../core/ledger/record.ts';
import { SECOND } from '../../../../core/limits.ts';
import type { Operation as RouteOperation } from '../../../../core/operations/routes.ts';
import { withCallLimit } from '../../../../core/rates/call-limit.ts';
import { health } from '../../../../core/status/health.ts';
import { requests } from '../../../../core/status/requests.ts';
import { status } from '../../../../core/status/status.ts';
import { run } from '../../../../core/submission/submit.ts';
import { take } from '../../../../core/workers/take.ts';
import { receiveLive } from '../../../../worker/agent/messages.ts';

/** The ports of functions and agents. */
export type MeasuredPorts = Ports & { readonly services: Services; readonly expiryTimers: ExpiryTimers };

/** What an operation works on. */
export interface Subject {
  readonly ports: MeasuredPorts;
  /** Ports whose calls are not counted. */
  readonly unmeasured: MeasuredPorts;
  readonly endpoint: EndpointConfig;
  /** Ids of waiting jobs from the middle of the queue. Each call returns another job. */
  nextJob(): string;
  /** Returns a sequence of the stream that is later than all earlier sequences. */
  nextSequence(): string;
  /** Secret of a client key. */
  readonly secret: string;
}

export interface Operation {
  readonly name: string;
  /** What is measured, for the document. */
  readonly title: string;
  /** Whether the endpoint's state is restored afterwards. */
  readonly purges?: true;
  /** Why its calls and units grow with the number of jobs, if they do. */
  readonly grows?: string;
  /**
   * Prepares one run, which is not measured.
   * @returns the run
   */
  readonly prepare: (subject: Subject) => Promise<() => Promise<unknown>>;
}

/** Limits a call of an operation with exact limits, like its handler. */
const limited = <Result>(
  { ports, endpoint }: Subject,
  operation: RouteOperation,
  work: () => Promise<Result>,
): Promise<Result> => withCallLimit(ports, operation, { endpoint: endpoint.id, caller: 'key' }, work);

const BODY = Buffer.from('{"input":{"n":1}}');

/**
 * Returns the clock of a purge. The ledger counts the markers of the purge during each of its pauses. Its calls are not
 * those of the purge, and not counted.
 */
function ledgerClock({ ports, unmeasured, endpoint: { id: endpoint }, nextSequence }: Subject): Clock {
  const markers = () =>
    partitionsOf(endpoint).map((partition) => ({
      sequence: nextSequence(),
      marker: { endpoint, partition, generation: 0 },
    }));
  return {
    now: () => ports.clock.now(),
    async pause(milliseconds) {
      await record(unmeasured, markers());
      await ports.clock.pause(milliseconds);
    },
  };
}

/** Lets the subject's jobs be listed by this filter. */
const list = (name: string, title: string, filter: object, grows?: string): Operation => ({
  name,
  title,
  ...(grows !== undefined && { grows }),
  prepare: async (subject) => () =>
    limited(subject, 'requests', () => requests(subject.ports, { endpoint: subject.endpoint.id, ...filter })),
});

export const operations: readonly Operation[] = [
  {
    name: 'authorizer',
    title: 'the check of a key that no process has cached',
    prepare:
      async ({ ports, endpoint, secret }) =>
      () =>
        authorize(ports, { authorization: `Bearer ${secret}`, operation: 'run', endpoint: endpoint.id }),
  },
  {
    name: '/run',
    title: 'a job is accepted',
    prepare:
      async ({ ports, endpoint }) =>
      () =>
        run(ports, { endpoint: endpoint.id, owner: 'bench', body: BODY }),
  },
  {
    name: '/status',
    title: 'a job in the middle of the queue is polled, with its position',
    prepare: async ({ ports, endpoint, nextJob }) => {
      const id = nextJob();
      return () => status(ports, { endpoint: endpoint.id, id });
    },
  },
  {
    name: '/cancel',
    title: 'a job in the middle of the queue is cancelled',
    prepare: async (subject) => {
      const id = subject.nextJob();
      return () => limited(subject, 'cancel', () => cancel(subject.ports, { endpoint: subject.endpoint.id, id }));
    },
  },
  {
    name: '/health',
    title: 'the jobs and workers are counted',
    prepare:
      async ({ ports, endpoint }) =>
      () =>
        health(ports, endpoint.id),
  },
  list('/requests', 'the first page of 20 jobs', {}),
  list(
    '/requests?status',
    'a page of FAILED jobs, of which there are none',
    { status: 'FAILED' },
    'it reads the newest jobs until a page is full, at most 1,000 for each page.',
  ),
  {
    name: '/purge-queue',
    title: 'all waiting jobs are cancelled',
    purges: true,
    prepare: async (subject) => () =>
      limited(subject, 'purge-queue', () =>
        purgeQueue(portsWith(subject.ports, { clock: ledgerClock(subject) }), subject.endpoint.id),
      ),
  },
  {
    name: 'take',
    title: 'a worker receives a message, takes its job and deletes the message',
    prepare:
      async ({ ports, endpoint }) =>
      async () => {
        const [queueUrl] = endpoint.normalQueueUrls;
        const [received] = await receiveLive(
          ports,
          { queueUrl, max: 1, wait: SECOND },
          new AbortController().signal,
          async () => undefined,
        );
        if (!received) throw new Error('The queue has no message left.');
        const { outcome } = await take(ports, 'worker-0', received);
        if (outcome !== 'taken') throw new Error(`The job was not taken: ${outcome}.`);
        await ports.jobQueues.drop(received);
      },
  },
  {
    name: 'ledger',
    title: 'the ledger counts the arrival of one job',
    prepare: async (subject) => {
      const { ports, endpoint } = subject;
      const { id } = await run(ports, { endpoint: endpoint.id, owner: 'bench', body: BODY });
      const after = await ports.jobs.read({ endpoint: endpoint.id, id });
      if (!after) throw new Error(`The job ${id} is not stored.`);
      return () => record(ports, [{ sequence: subject.nextSequence(), after }]);
    },
  },
];

/**
 * Creates a key for all endpoints.
 * @returns its secret
 */
export async function createKey(ports: Ports): Promise<string> {
  const secret = newSecret(randomBytes(64));
  const facts = { name: 'bench', owner: 'bench', endpoints: ['*'], operations: ['*'], scopes: [] };
  await ports.keys.create({ hash: hashOf(secret), ...facts, createdAt: ports.clock.now() });
  return secret;
}
