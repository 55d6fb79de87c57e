/**
 * Everything outside of `core/`, on one screen. There is one implementation, `aws/`, and it runs everywhere: in the
 * cloud, on a laptop and in tests, over AWS or over emulators of it.
 */
import type { Clock } from './clock.ts';
import type { Endpoint, EndpointConfig } from './endpoints/endpoint.ts';
import type { Job, JobKey, QueuedJob } from './jobs/job.ts';
import type { FactsOf, TransitionName } from './jobs/transitions.ts';
import type { KeyRecord } from './keys/key.ts';
import type { Lease } from './workers/lease.ts';

/** Whether a transition took place. If not, `job` is what stood in its way: the job as stored, or nothing at all. */
export type Moved = { readonly moved: true; readonly job: Job } | { readonly moved: false; readonly job?: Job };

export interface Jobs {
  /** Stores a new job. A second call with the same job changes nothing. */
  create(job: QueuedJob): Promise<void>;
  /** The job as stored, strongly consistent: it is there as soon as `create` has returned. */
  read(key: JobKey): Promise<Job | undefined>;
  /** Takes the transition in one conditional write. */
  move<Name extends TransitionName>(name: Name, key: JobKey, facts: FactsOf<Name>): Promise<Moved>;
  /** Every stored job of the endpoint, in no order. */
  list(endpoint: string): AsyncIterable<Job>;
}

/** Texts too large for the job itself, under the job and a name such as `output#2`. */
export interface Payloads {
  write(key: JobKey, name: string, text: string, removeAfter: number): Promise<void>;
  read(key: JobKey, name: string): Promise<string>;
}

/** A message that says: look at this job. The jobs table alone says what is true. */
export interface Hint {
  readonly endpoint: string;
  readonly job: string;
  readonly attempt: number;
  readonly generation: number;
}

export interface ReceivedHint extends Hint {
  /** Names this delivery of the message to `hide` and `drop`. */
  readonly receipt: string;
  readonly queueUrl: string;
}

export interface Hints {
  send(queueUrl: string, hint: Hint): Promise<void>;
  /** Waits up to `wait` ms for a hint, which then stays hidden from other workers for `hidden` ms. */
  receive(queueUrl: string, wait: number, hidden: number, signal?: AbortSignal): Promise<ReceivedHint | undefined>;
  /** Hides a received hint for `hidden` ms from now; 0 gives it back. */
  hide(hint: ReceivedHint, hidden: number): Promise<void>;
  drop(hint: ReceivedHint): Promise<void>;
}

export interface Endpoints {
  /** The endpoint, at most `ENDPOINT_CACHE` ms old. */
  read(id: string): Promise<Endpoint | undefined>;
  /** Every endpoint of this deployment, by id. */
  list(): Promise<Endpoint[]>;
  register(config: EndpointConfig): Promise<void>;
  remove(id: string): Promise<void>;
}

export interface Workers {
  beat(lease: Lease): Promise<void>;
  read(endpoint: string, worker: string): Promise<Lease | undefined>;
  list(endpoint: string): Promise<Lease[]>;
  leave(endpoint: string, worker: string): Promise<void>;
}

export interface Keys {
  create(record: KeyRecord): Promise<void>;
  /** By the hash of the secret; the answer may be up to `KEY_CACHE` ms old. */
  read(hash: string): Promise<KeyRecord | undefined>;
}

export interface World {
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly payloads: Payloads;
  readonly hints: Hints;
  readonly endpoints: Endpoints;
  readonly workers: Workers;
  readonly keys: Keys;
  /** New job ids (`core/jobs/id.ts`), injected so that tests can name jobs. */
  readonly newJobId: (kind: Job['kind'], now: number) => string;
}
