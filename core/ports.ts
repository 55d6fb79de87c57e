/**
 * Everything outside of `core/`, on one screen. There is one implementation, `aws/`, and it runs everywhere: in the
 * cloud, on a laptop and in tests, over AWS or over emulators of it.
 */
import type { CallCounts } from './call-limit.ts';
import type { Clock } from './clock.ts';
import type { DirectLimits } from './direct-limit.ts';
import type { Audit, Endpoint, EndpointConfig, ServiceName } from './endpoints/endpoint.ts';
import type { Example } from './endpoints/examples.ts';
import type { FleetState } from './fleet/state.ts';
import type { Chunks } from './jobs/chunk-store.ts';
import type { Claim } from './jobs/claim.ts';
import type { Job, JobKey, QueuedJob } from './jobs/job.ts';
import type { FactsOf, TransitionName } from './jobs/transitions.ts';
import type { WaitSlots } from './jobs/wait-slots.ts';
import type { KeyRecord } from './keys/key.ts';
import type { ArrivalChange, QueueName } from './ledger/arrivals.ts';
import type { Counters, SequencedChange } from './ledger/counters.ts';
import type { Due, DueJobs } from './ledger/due.ts';
import type { Release } from './releases/state.ts';
import type { Deliveries } from './webhooks/store.ts';
import type { Asked } from './workers/concurrency.ts';
import type { Workers } from './workers/lease.ts';
import type { WorkerMarks } from './workers/mark.ts';

/**
 * Whether a transition took place. If not, `job` is what stood in its way: the job as stored, or nothing at all. It may be
 * the very job that it made, if the call was `repeated` because the answer to an earlier try was lost.
 */
export type Moved =
  | { readonly moved: true; readonly job: Job }
  | { readonly moved: false; readonly job?: Job; readonly repeated: boolean };

export interface Jobs {
  /** Stores a new job. A second call with the same job changes nothing. */
  create(job: QueuedJob): Promise<void>;
  /** The job as stored, strongly consistent: it is there as soon as `create` has returned. */
  read(key: JobKey): Promise<Job | undefined>;
  /**
   * Reads up to `lookLimits.batch` different jobs as `read` does.
   * @returns them in the order of the keys, and `not read` for each job whose partition is too busy
   */
  readMany(keys: readonly JobKey[]): Promise<readonly (Job | 'not read' | undefined)[]>;
  /** Takes the transition in one conditional write. */
  move<Name extends TransitionName>(name: Name, key: JobKey, facts: FactsOf<Name>): Promise<Moved>;
  /** Every stored job of the endpoint, in no order. */
  list(endpoint: string): AsyncIterable<Job>;
  /**
   * Those of the endpoint, the newest first, strongly consistent.
   * @param before the order (`orderOf`) after which they begin
   */
  newest(endpoint: string, before?: string): AsyncIterable<Job>;
}

/** Texts too large for the job itself, up to some KB, under the job and a name such as `output#2`. */
export interface Payloads {
  write(key: JobKey, name: string, text: string, removeAfter: number): Promise<void>;
  read(key: JobKey, name: string): Promise<string>;
}

/** Of streams that are drained, how far their chunks have been given to readers. */
export interface Drains {
  /** The number of the first chunk of the attempt that nobody was given. */
  read(key: JobKey, attempt: number): Promise<number>;
  /** Notes it, unless it is higher already, or of a later attempt. */
  note(key: JobKey, attempt: number, next: number, removeAfter: number): Promise<void>;
}

/** Which jobs the idempotency keys of clients stand for. */
export interface Claims {
  /**
   * Stores the claim, unless there is one of that name that has not expired by `now`.
   * @returns the claim that holds: of all callers at once, every one gets the same
   */
  hold(name: string, claim: Claim, now: number): Promise<Claim>;
}

/** A message that says: look at this job. The jobs table alone says what is true. */
export interface JobMessage {
  readonly endpoint: string;
  readonly job: string;
  readonly attempt: number;
  readonly generation: number;
}

export interface ReceivedMessage extends JobMessage {
  /** Names this delivery of the message to `hide` and `drop`. */
  readonly receipt: string;
  readonly queueUrl: string;
  /** When it was sent, in milliseconds since the epoch; of a message that is shown again, for the first time. */
  readonly sentAt: number;
}

/** Texts too large for the payload table, in UTF-8, by key. The bucket removes them when their days are over. */
export interface Objects {
  write(key: string, bytes: Uint8Array): Promise<void>;
  /** @param reserve is called with the length before the content is loaded; it throws to prevent that */
  read(key: string, reserve?: (bytes: number) => void): Promise<Uint8Array>;
}

/** Texts that nobody but the workers of a job's endpoint may read. */
export interface Secrets {
  /** @returns a text to store, which says nothing to who may not open it */
  seal(key: JobKey, text: string): Promise<string>;
  /** @throws if it was sealed for another job, or not at all */
  open(key: JobKey, sealed: string): Promise<string>;
}

export interface JobQueues {
  /** @param delay milliseconds until it shows, at most 15 minutes */
  send(queueUrl: string, message: JobMessage, delay?: number): Promise<void>;
  /** Waits up to `wait` ms for a message, which then stays hidden from other workers for `hidden` ms. */
  receive(queueUrl: string, wait: number, hidden: number, signal?: AbortSignal): Promise<ReceivedMessage | undefined>;
  /** Some of the messages that are there, without waiting for any; each then stays hidden for `hidden` ms. */
  receiveBatch(queueUrl: string, hidden: number): Promise<ReceivedMessage[]>;
  /** Hides a received message for `hidden` ms from now; 0 gives it back. */
  hide(message: ReceivedMessage, hidden: number): Promise<void>;
  drop(message: ReceivedMessage): Promise<void>;
  /** Drops messages of one queue that were received together. One that could not be dropped shows again. */
  dropBatch(messages: readonly ReceivedMessage[]): Promise<void>;
}

export interface Endpoints {
  /** The endpoint, at most `ENDPOINT_CACHE` ms old. */
  read(id: string): Promise<Endpoint | undefined>;
  /** Whether there is such an endpoint, or was one at most `KEY_CACHE` ms ago; a new one is there at once. */
  isDeployed(id: string): Promise<boolean>;
  /** The endpoint as it is now. */
  readNow(id: string): Promise<Endpoint | undefined>;
  /** Every endpoint of this deployment, by id, with its examples. */
  list(): Promise<Endpoint[]>;
  /** Stores what the endpoint's stack says, and its example inputs in place of those before. */
  register(config: EndpointConfig, examples?: readonly Example[]): Promise<void>;
  remove(id: string): Promise<void>;
  /** Raises the generation by one and notes when; false if it is not `from` any more. */
  raiseGeneration(id: string, from: number): Promise<boolean>;
  /** Notes how many workers the service was told to run, and when; false if the number is not `from` any more. */
  noteDesired(id: string, from: number | undefined, to: number): Promise<boolean>;
  /** Stores that a scale-in during a release begins. */
  noteScaleIn(id: string, now: number): Promise<void>;
  /** Stores how many jobs the endpoint's workers ask to run at once. */
  noteAsked(id: string, asked: Asked): Promise<void>;
  /** Stores what is known of the endpoint's workers; false if another has stored something since it was read. */
  noteFleet(id: string, fleet: FleetState): Promise<boolean>;
  /** Notes the outcome of an audit; false if there was another one since `endpoint` was read. */
  noteAudit(endpoint: Endpoint, audit: Audit): Promise<boolean>;
  /** Notes what the service is to run, and how far that is; false if it is not as in `from` any more. */
  noteRelease(id: string, from: Release | undefined, to: Release): Promise<boolean>;
  /**
   * Forgets the release and the number of workers of a service that is removed, and stores that its messages are lost.
   */
  forgetService(id: string): Promise<void>;
  /**
   * Stores that the caller sends the messages lost at that time; false if another has begun to less than `RESEND_CLAIM`
   * ago.
   */
  claimResend(id: string, lostAt: number, now: number): Promise<boolean>;
  /** Stores that the messages lost at that time are sent again, unless messages were lost since. */
  noteResent(id: string, lostAt: number): Promise<void>;
}

export interface Added {
  /** What was not added yet. */
  readonly left: readonly SequencedChange[];
  /** What the counts hold of `Arrivals` that were noted with them last: whoever added those may not have come to these. */
  readonly arrivals?: ArrivalChange;
}

/** The counters of all endpoints, kept up to date from the stream of the jobs table. */
export interface Ledger {
  /**
   * Adds what a batch of the stream changes in the counts of one partition, unless some of it was added before: then it
   * adds nothing, and says what is left. Calls that follow add all of it once, however the batches are cut.
   * @param changes in the order of the stream
   */
  add(partition: string, changes: readonly SequencedChange[]): Promise<Added>;
  /** Removes counters of an endpoint, if they are there. */
  forget(endpoint: string, counters: readonly string[]): Promise<void>;
  /** Adds to the counts what an audit found missing, unless there was another audit since. */
  correct(endpoint: Endpoint, missing: Counters, now: number): Promise<boolean>;
}

/** How many jobs wait, by when they came. */
export interface Arrivals {
  /** Adds a change that the ledger has noted; a second time it changes nothing. */
  add(partition: string, change: ArrivalChange): Promise<void>;
  /**
   * How many jobs wait in the queue that came in an earlier span than that of `time`, at most `ENDPOINT_CACHE` ms ago.
   * Its work does not depend on how many they are. Jobs that came more than the longest ttl ago are left out.
   */
  countBefore(queue: QueueName, time: number): Promise<number>;
}

/** When jobs become due: their wait ends, or their run. Kept by the minute, so that a sweep reads what is due alone. */
export interface Deadlines {
  /** @param batch names the entries: the same ones under the same name are stored once */
  note(endpoint: string, batch: string, dues: readonly Due[]): Promise<void>;
  /** All that is due by `now`, the earliest first. */
  due(endpoint: string, now: number): AsyncIterable<DueJobs>;
  forget(dueJobs: DueJobs): Promise<void>;
}

/** The service that runs an endpoint's workers. */
export interface Services {
  /** How many workers it is to run, or nothing if it is not there. */
  desired(service: ServiceName): Promise<number | undefined>;
  setDesired(service: ServiceName, count: number): Promise<void>;
}

/** Which lines of a container are wanted. Times are milliseconds since the epoch. */
export interface LogQuery {
  /** Of the endpoint's workers. */
  readonly group: string;
  readonly worker: string;
  readonly source: LogSource;
  /** The first and the last time that is wanted. */
  readonly from: number;
  readonly until?: number;
  /** Only lines with this text. */
  readonly containing?: string;
  /** About so many lines are enough. */
  readonly enough: number;
}

/** Whose line it is: of our agent, or of the container beside it, which runs the handler. */
export type LogSource = 'agent' | 'worker';

export interface LogLine {
  readonly time: number;
  readonly message: string;
}

export interface FoundLines {
  /** The oldest first. */
  readonly lines: readonly LogLine[];
  /** Whether there are no more, as far as is known by now: lines come some seconds after they were printed. */
  readonly complete: boolean;
}

/** What the containers of workers print. */
export interface Logs {
  /** @throws LogsBusy if more is asked of the logs than the account may */
  read(query: LogQuery): Promise<FoundLines>;
}

export interface Keys {
  create(record: KeyRecord): Promise<void>;
  /** By the hash of the secret; the answer may be up to `KEY_CACHE` ms old. */
  read(hash: string): Promise<KeyRecord | undefined>;
  /** Every key, the oldest first. */
  list(): Promise<KeyRecord[]>;
  remove(hash: string): Promise<void>;
}

export interface Ports {
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly payloads: Payloads;
  readonly chunks: Chunks;
  readonly drains: Drains;
  readonly claims: Claims;
  readonly objects: Objects;
  readonly secrets: Secrets;
  readonly jobQueues: JobQueues;
  readonly endpoints: Endpoints;
  readonly callCounts: CallCounts;
  readonly waitSlots: WaitSlots;
  readonly directLimits: DirectLimits;
  readonly workers: Workers;
  readonly volumeMarks: WorkerMarks;
  readonly replacementMarks: WorkerMarks;
  readonly ledger: Ledger;
  readonly arrivals: Arrivals;
  readonly deadlines: Deadlines;
  readonly keys: Keys;
  readonly deliveries: Deliveries;
  /** New job ids (`core/jobs/id.ts`), injected so that tests can name jobs. */
  readonly newJobId: (kind: Job['kind'], now: number) => string;
  /** Networks that webhooks may lead to although they are not public. */
  readonly webhookNetworks: readonly string[];
}
