/**
 * Classifies a call. A call is for a measured job if it has the job's key or its queue message. A call that matches no
 * rule is an error: a new kind of call needs a rule.
 */

import type { Kind } from '../../../../bin/job-calls/figures.ts';
import type { Call } from './call-log.ts';

/** The measured jobs and their queue messages. */
export interface Scope {
  /** Ids of the measured jobs. */
  readonly jobs: ReadonlySet<string>;
  /** Ids of the messages that were sent for these jobs. */
  readonly messages: ReadonlySet<string>;
  /** Id of the message, by receipt handle. */
  readonly received: ReadonlyMap<string, string>;
}

/** Actors by the prefix of their role's name. The first match counts. */
const ACTORS: readonly (readonly [RegExp, string])[] = [
  [/^operator$/, 'operator'],
  [/^Platform-Authorizer/, 'authorizer'],
  [/^Platform-JobsHealth/, 'health'],
  [/^Platform-Jobs/, 'handler'],
  // The ingress serves the same operations as functions.
  [/^Platform-IngressTask/, 'handler'],
  [/^Platform-Ledger/, 'ledger'],
  [/^Platform-WebhooksDeliver/, 'deliverer'],
  [/^Platform-Sweeper/, 'sweeper'],
  [/^Platform-FleetEvents/, 'fleet'],
  [/^Platform-Launches/, 'launches'],
  [/^Platform-EndpointsRegister/, 'register'],
  [/^Endpoint-.+-WorkersTaskTaskRole/, 'worker'],
];

export const actorOf = ({ role = '' }: Call): string =>
  ACTORS.find(([pattern]) => pattern.test(role))?.[1] ?? `unknown role ${role}`;

/** Returns the resource of a call: a table, a queue, a bucket, a cluster or a service. */
export function targetOf({ resources = [] }: Call): string {
  const [resource = ''] = resources;
  const table = /:table\/[^-]+-(?<name>\w+)Table\w+$/.exec(resource)?.groups?.name;
  if (table) return table.toLowerCase();
  const queue = /-Hints(?<name>Normal|Low)(?:Even|Odd)\w+$/.exec(resource)?.groups?.name;
  if (queue) return `${queue.toLowerCase()} queue`;
  if (resource.startsWith('arn:aws:s3:::')) return 'bucket';
  if (resource.includes(':cluster/')) return 'cluster';
  return resource.includes(':service/') ? 'service' : resource;
}

/** Returns the job of the item or object in a call. The marker of a purge, `#purge`, belongs to no job. */
export function jobOf(call: Call): string | undefined {
  const target = targetOf(call);
  if (target === 'jobs' || target === 'payloads' || target === 'deliveries')
    return call.keys?.[0]?.sort?.split('#')[0] || undefined;
  if (target === 'bucket') return call.resources?.[0]?.split('/').at(-2);
  return undefined;
}

/**
 * Returns the jobs whose rows a call adds to the history: `job#<time>#<id>` or `attempt#<time>#<id>#<attempt>`. A call can add
 * rows of several jobs.
 */
const rowsOf = (call: Call): string[] =>
  targetOf(call) === 'history' ? (call.keys ?? []).map(({ sort = '' }) => sort.split('#')[2] ?? '') : [];

/** Returns whether the call is a worker's read of a job, which usually checks that the worker still holds the job. */
export const isWatch = (call: Call): boolean =>
  call.operation === 'GetItem' && actorOf(call) === 'worker' && targetOf(call) === 'jobs';

function kindOfMessages({ messageIds = [], receipts = [] }: Call, { messages, received }: Scope): Kind {
  const ids = messageIds.length > 0 ? messageIds : receipts.map((receipt) => received.get(receipt) ?? '');
  if (ids.length === 0) return 'standing';
  return ids.some((id) => messages.has(id)) ? 'own' : 'other';
}

interface Rule {
  readonly kind: Kind;
  readonly actors: readonly string[];
  /** @default - any */
  readonly target?: string;
  readonly operations?: readonly string[];
  /**
   * Prefix of the partition key.
   * @default - any partition key
   */
  readonly partition?: string;
}

/** Rules for calls without a job. The first match counts. */
const RULES: readonly Rule[] = [
  // Each authorizer process reads each key and endpoint at most once in 25 s, however many requests arrive.
  { kind: 'standing', actors: ['authorizer'], target: 'keys', operations: ['GetItem'] },
  { kind: 'standing', actors: ['authorizer'], target: 'endpoints', operations: ['Query'] },
  // Each process reads the webhook secrets of an endpoint at most once a minute.
  { kind: 'standing', actors: ['deliverer'] },
  // The chunks of a job.
  { kind: 'own', actors: ['handler'], target: 'payloads', operations: ['Query'] },
  { kind: 'standing', actors: ['worker'], target: 'workers', operations: ['PutItem', 'DeleteItem'] },
  // The start of the worker, once in its life.
  { kind: 'standing', actors: ['worker'], target: 'workers', partition: 'starts#' },
  { kind: 'standing', actors: ['operator', 'register', 'sweeper', 'launches', 'fleet', 'health'] },
  // A task of the ingress reports that it is alive, and reads which tasks are alive.
  { kind: 'standing', actors: ['handler'], target: 'endpoints', partition: 'waits#holders' },
  { kind: 'shared', actors: ['handler', 'worker'], target: 'endpoints', operations: ['Query'] },
  // The position of a waiting job, and the reason why it waits.
  { kind: 'shared', actors: ['handler'], target: 'arrivals', operations: ['Query'] },
  { kind: 'shared', actors: ['handler'], target: 'workers', operations: ['Query'] },
  // The slot of a call that waits for a job.
  { kind: 'own', actors: ['handler'], target: 'endpoints', operations: ['UpdateItem'], partition: 'waits#' },
  // A purge, which may remove any number of jobs.
  { kind: 'shared', actors: ['handler'], target: 'endpoints', operations: ['UpdateItem'] },
  // The markers of a purge, which are keyed by no job.
  { kind: 'shared', actors: ['handler'], target: 'jobs', operations: ['PutItem'] },
  { kind: 'shared', actors: ['worker'], target: 'workers', operations: ['GetItem'] },
  { kind: 'shared', actors: ['ledger'] },
];

/** @throws Error if no rule matches the call */
export function kindOf(call: Call, scope: Scope): Kind {
  if (call.service === 'sqs') return kindOfMessages(call, scope);
  const rows = rowsOf(call);
  if (rows.length > 0) return rows.some((id) => scope.jobs.has(id)) ? 'own' : 'other';
  const job = jobOf(call);
  if (job !== undefined) return scope.jobs.has(job) ? 'own' : 'other';
  const [actor, target, operation = ''] = [actorOf(call), targetOf(call), call.operation];
  const partition = call.keys?.[0]?.partition ?? '';
  const rule = RULES.find(
    ({ actors, target: wanted = target, operations = [operation], partition: begins = '' }) =>
      actors.includes(actor) && wanted === target && operations.includes(operation) && partition.startsWith(begins),
  );
  if (rule) return rule.kind;
  throw new Error(
    `No rule of packages/lab/bench/calls/classify.ts matches ${operation} of ${target} by ${actor}: add a rule.`,
  );
}
