/** The ports of webhooks. `Deliveries` is also a port of jobs; only the deliverer needs the others. */

import type { DeliveryKey } from '../jobs/delivery-key.ts';
import type { Job } from '../jobs/job.ts';
import type { AttemptOutcome, Delivery } from './delivery.ts';

/** Asks for the next attempt. */
export interface Claim {
  /** Names the call. If its own claim refuses it, because the first response was lost, the call holds the claim. */
  readonly call: string;
  /** Names the turn of the attempt. The execution that had `turnBefore` need not wait for the end of the lease. */
  readonly turn: string;
  readonly turnBefore?: string;
  readonly now: number;
  readonly leaseEnds: number;
  readonly removeAfter: number;
}

export interface Claimed {
  /** Whether the caller may call the receiver, once. */
  readonly claimed: boolean;
  /** The delivery after the claim. */
  readonly delivery: Delivery;
}

/** A delivery that has failed for good. */
export interface Failure extends DeliveryKey {
  readonly failedAt: number;
}

export interface Deliveries {
  /**
   * Returns the delivery, or undefined before its first attempt.
   * @param when `lately` may be a second behind, and costs half
   */
  read(key: DeliveryKey, when: 'now' | 'lately'): Promise<Delivery | undefined>;
  /**
   * Claims the next attempt in one conditional write: of concurrent calls, one gets it. After the last attempt none
   * does. Until the lease ends, only the turn that follows on `turnBefore` gets the attempt after it.
   */
  claim(key: DeliveryKey, claim: Claim): Promise<Claimed>;
  /**
   * Stores the outcome of the attempt. An acknowledgement counts even if another call holds the claim by now; any other
   * outcome counts only while this call holds it.
   */
  saveOutcome(
    key: DeliveryKey,
    claim: Pick<Claim, 'call' | 'removeAfter'>,
    outcome: AttemptOutcome,
    now: number,
  ): Promise<void>;
  /**
   * Marks a delivery FAILED that has no attempts or no time left, unless it is over or an attempt is under way.
   * @returns whether this call has marked it
   */
  giveUp(key: DeliveryKey, why: string, now: number, removeAfter: number): Promise<boolean>;
  /** Keeps a copy of the job as it is at this end, because it will change, unless the delivery is over. */
  keep(key: DeliveryKey, job: Job, removeAfter: number): Promise<void>;
  /** Gives a failed delivery new attempts. @returns false if it has not failed */
  reopen(key: DeliveryKey): Promise<boolean>;
  /**
   * Lists the failed deliveries of the endpoint that were not sent again, the newest first.
   * @param before the last one of the page before
   */
  failures(endpoint: string, before?: Failure): AsyncIterable<Failure>;
}

/** Starts an execution of a delivery, with all its pauses. It returns before the first attempt. */
export interface DeliveryStarts {
  start(key: DeliveryKey): Promise<void>;
}

/** The outcome of a call of a receiver. */
export type PostOutcome =
  | { readonly answered: true; readonly status: number }
  | {
      readonly answered: false;
      /** Such as `TIMEOUT`. */
      readonly reason: string;
      /** A sentence for people, without anything secret. */
      readonly detail: string;
    };

export interface WebhookClient {
  /** Sends the request. It never rejects: a failure is an outcome. */
  post(call: { url: string; headers: Record<string, string>; body: string }): Promise<PostOutcome>;
}
