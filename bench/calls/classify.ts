/**
 * Classifies a call. `own`: it names the job, by its key or by its queue message. `shared`: it is made because
 * of the job, but one such call can serve many jobs. `standing`: it would have happened without the job. `other`: it
 * names a job that is not measured. A call that no rule places is an error: a new kind of call needs a rule.
 */
import type { Call } from './call-log.ts';

export type Kind = 'own' | 'shared' | 'standing' | 'other';

/** What is measured. */
export interface Scope {
  /** Ids of the measured jobs. */
  readonly jobs: ReadonlySet<string>;
  /** Ids of the messages that were sent for them. */
  readonly messages: ReadonlySet<string>;
  /** The message of each receipt handle. */
  readonly received: ReadonlyMap<string, string>;
}

/** Roles by what their names begin with; the first that fits. */
const ACTORS: readonly (readonly [RegExp, string])[] = [
  [/^operator$/, 'operator'],
  [/^Platform-Authorizer/, 'authorizer'],
  [/^Platform-JobsHealth/, 'health'],
  [/^Platform-Jobs/, 'handler'],
  // It serves operations as functions do.
  [/^Platform-IngressTask/, 'handler'],
  [/^Platform-Ledger/, 'ledger'],
  [/^Platform-WebhooksDeliver/, 'deliverer'],
  [/^Platform-Sweeper/, 'sweeper'],
  [/^Platform-FleetEvents/, 'fleet'],
  [/^Platform-EndpointsRegister/, 'register'],
  [/^Endpoint-.+-WorkersTaskTaskRole/, 'worker'],
];

export const actorOf = ({ role = '' }: Call): string =>
  ACTORS.find(([pattern]) => pattern.test(role))?.[1] ?? `unknown role ${role}`;

/** The resource that a call names: a table, a queue, a bucket or a service. */
export function targetOf({ resources = [] }: Call): string {
  const [resource = ''] = resources;
  const table = /:table\/[^-]+-(?<name>\w+)Table\w+$/.exec(resource)?.groups?.name;
  if (table) return table.toLowerCase();
  const queue = /-Hints(?<name>Normal|Low)(?:Even|Odd)\w+$/.exec(resource)?.groups?.name;
  if (queue) return `${queue.toLowerCase()} queue`;
  if (resource.startsWith('arn:aws:s3:::')) return 'bucket';
  return resource.includes(':service/') ? 'service' : resource;
}

/** The job that the item or object of a call belongs to. */
export function jobOf(call: Call): string | undefined {
  const target = targetOf(call);
  if (target === 'jobs' || target === 'payloads' || target === 'deliveries') return call.keys?.[0]?.sort?.split('#')[0];
  if (target === 'bucket') return call.resources?.[0]?.split('/').at(-2);
  return undefined;
}

/** Whether a worker reads a job, mostly to check that the job is still its own. */
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
  /** What the partition key begins with. @default - anything */
  readonly partition?: string;
}

/** Rules for calls that name no job; the first that fits counts. */
const RULES: readonly Rule[] = [
  // Each key and endpoint at most once a minute by each process of the authorizer, however many requests there are.
  { kind: 'standing', actors: ['authorizer'], target: 'keys', operations: ['GetItem'] },
  { kind: 'standing', actors: ['authorizer'], target: 'endpoints', operations: ['Query'] },
  // What signs webhooks: of each endpoint at most once a minute by each process.
  { kind: 'standing', actors: ['deliverer'] },
  // The chunks of one job.
  { kind: 'own', actors: ['handler'], target: 'payloads', operations: ['Query'] },
  { kind: 'standing', actors: ['worker'], target: 'workers', operations: ['PutItem', 'DeleteItem'] },
  { kind: 'standing', actors: ['operator', 'register', 'sweeper', 'fleet', 'health'] },
  // A task of the ingress reports that it is alive, and reads which other tasks are.
  { kind: 'standing', actors: ['handler'], target: 'endpoints', partition: 'waits#holders' },
  { kind: 'shared', actors: ['handler', 'worker'], target: 'endpoints', operations: ['Query'] },
  // The position of a waiting job, and why it waits.
  { kind: 'shared', actors: ['handler'], target: 'arrivals', operations: ['Query'] },
  { kind: 'shared', actors: ['handler'], target: 'workers', operations: ['Query'] },
  // The slot of a call that waits for a job.
  { kind: 'own', actors: ['handler'], target: 'endpoints', operations: ['UpdateItem'], partition: 'waits#' },
  // A purge, however many jobs it removes.
  { kind: 'shared', actors: ['handler'], target: 'endpoints', operations: ['UpdateItem'] },
  { kind: 'shared', actors: ['worker'], target: 'workers', operations: ['GetItem'] },
  { kind: 'shared', actors: ['ledger'] },
];

/** @throws Error if no rule places the call */
export function kindOf(call: Call, scope: Scope): Kind {
  if (call.service === 'sqs') return kindOfMessages(call, scope);
  const job = jobOf(call);
  if (job !== undefined) return scope.jobs.has(job) ? 'own' : 'other';
  const [actor, target, operation = ''] = [actorOf(call), targetOf(call), call.operation];
  const partition = call.keys?.[0]?.partition ?? '';
  const rule = RULES.find(
    ({ actors, target: wanted = target, operations = [operation], partition: begins = '' }) =>
      actors.includes(actor) && wanted === target && operations.includes(operation) && partition.startsWith(begins),
  );
  if (rule) return rule.kind;
  throw new Error(`No rule of bench/calls/classify.ts places ${operation} of ${target} by ${actor}.`);
}
